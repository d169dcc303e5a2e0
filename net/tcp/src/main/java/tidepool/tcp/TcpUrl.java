package tidepool.tcp;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tidepool.fabric.FabricUrl;

/**
 * The parsed form of {@code tcp://host:port,host:port/pool?timeout=10s}: the memory nodes in the order in which the
 * pool was created, and the pool's name, by default {@code main}. For a pool with a roster it also has the roster's
 * epoch and the identities of the nodes.
 */
record TcpUrl(
        List<String> hosts,
        List<Integer> ports,
        String pool,
        Duration timeout,
        Duration connect,
        int connections,
        long epoch,
        List<String> identities) {
    private static final int DEFAULT_PORT = 7400;
    private static final String DEFAULT_POOL = "main";
    private static final int MAX_NODES = 64;

    static final Set<String> PARAMETERS = Set.of("timeout", "connect", "connections");

    static TcpUrl of(FabricUrl url) {
        url.allow(TcpRosterOpener.PARAMETERS);
        String target = url.target();
        if (!target.startsWith("//") || target.length() == 2)
            throw new IllegalArgumentException(
                    "tcp needs the addresses of memory nodes, such as tcp://127.0.0.1:7400,127.0.0.1:7401: "
                            + url.text());
        int slash = target.indexOf('/', 2);
        String nodes = slash < 0 ? target.substring(2) : target.substring(2, slash);
        String pool = slash < 0 ? DEFAULT_POOL : target.substring(slash + 1);
        if (!pool.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"))
            throw new IllegalArgumentException(
                    "a pool's name has up to 64 letters, digits, dots, dashes: '" + pool + "' in " + url.text());
        List<String> hosts = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (String node : nodes.split(",", -1)) {
            hosts.add(host(node, url));
            ports.add(port(node, url));
        }
        if (hosts.size() > MAX_NODES)
            throw new IllegalArgumentException("a pool has at most " + MAX_NODES + " memory nodes: " + url.text());
        return new TcpUrl(
                List.copyOf(hosts),
                List.copyOf(ports),
                pool,
                url.duration("timeout", Duration.ofSeconds(10)),
                url.duration("connect", Duration.ofSeconds(5)),
                url.integer("connections", 1, 1, 64),
                0,
                List.of());
    }

    /** Returns this URL with the epoch and the identities of a roster. */
    TcpUrl of(long rosterEpoch, List<String> members) {
        return new TcpUrl(hosts, ports, pool, timeout, connect, connections, rosterEpoch, List.copyOf(members));
    }

    /**
     * Returns this URL without a pool and with the given time to connect, for a handshake that only asks whether nodes
     * answer.
     */
    TcpUrl asking(Duration patience) {
        return new TcpUrl(hosts, ports, "", timeout, patience, connections, epoch, identities);
    }

    /** Returns whether the nodes come from a roster, which may change. */
    boolean hasRoster() {
        return epoch > 0;
    }

    int nodes() {
        return hosts.size();
    }

    /** Returns the address of a node for messages. */
    String address(int node) {
        return hosts.get(node) + ":" + ports.get(node);
    }

    /**
     * Returns the address under which a node of a roster has registered, in the node's own spelling; empty without a
     * roster.
     */
    String registered(int node) {
        return hasRoster() ? address(node) : "";
    }

    /** Resolves the host name on every call, because the address of a machine may change. */
    InetSocketAddress socketAddress(int node) {
        return new InetSocketAddress(hosts.get(node), ports.get(node));
    }

    private static String host(String node, FabricUrl url) {
        int end = node.startsWith("[") ? node.indexOf(']') + 1 : node.indexOf(':');
        String host = end <= 0 ? node : node.substring(0, end);
        if (host.isBlank() || host.contains(" "))
            throw new IllegalArgumentException("not the address of a memory node: '" + node + "' in " + url.text());
        return host;
    }

    private static int port(String node, FabricUrl url) {
        String rest = node.substring(host(node, url).length());
        if (rest.isEmpty()) return DEFAULT_PORT;
        try {
            int port = Integer.parseInt(rest.substring(1));
            if (rest.charAt(0) == ':' && port > 0 && port < 65_536) return port;
        } catch (NumberFormatException e) {
            // falls through to the exception below, which covers both cases
        }
        throw new IllegalArgumentException("a port is 1 to 65535: '" + node + "' in " + url.text());
    }
}
