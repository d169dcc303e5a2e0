package tidepool.zookeeper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.store.PoolOptions;
import tidepool.tcp.ClientCredentials;
import tidepool.tcp.TcpRosterOpener;
import tidepool.wire.HostPort;

/**
 * The parsed form of {@code zk://host:port,host:port/pool?zkTimeout=5s}: the servers of ZooKeeper, and the name of the
 * pool, by default {@code main}. With {@code zkUser=NAME&zkTokenFile=FILE} only processes with that user and token may
 * read or change the pool's entries in ZooKeeper. Other parameters are options of a new pool, or apply to the
 * connections to its nodes, as for {@code tcp://}.
 *
 * @param servers of ZooKeeper, in the format of its client
 * @param patience how long this process tries to reach them
 * @param nodes a process that opens a pool that does not exist creates it of this number of registered nodes; 0 if it
 *     does not create pools
 * @param whole the URL as it was given
 */
public record ZkUrl(String servers, String pool, Duration patience, int nodes, FabricUrl whole) {
    private static final String DEFAULT_PORT = ":2181";
    private static final String DEFAULT_POOL = "main";
    private static final String USER = "zkUser";
    private static final String TOKEN_FILE = "zkTokenFile";
    private static final Set<String> PARAMETERS = Set.of("zkTimeout", "nodes", USER, TOKEN_FILE);

    public static ZkUrl parse(String text) {
        return of(FabricUrl.parse(text));
    }

    /** Parses a URL. Throws an exception with a sentence for unknown parameters. */
    public static ZkUrl of(FabricUrl url) {
        String target = url.target();
        if (!url.scheme().equals("zk") || !target.startsWith("//") || target.length() == 2)
            throw new IllegalArgumentException(
                    "a pool in ZooKeeper is named by zk://HOST:PORT,HOST:PORT/POOL, not by " + url.text());
        Set<String> known = new TreeSet<>(PARAMETERS);
        known.addAll(PoolOptions.NAMES);
        known.addAll(TcpRosterOpener.PARAMETERS);
        url.allow(known);
        int slash = target.indexOf('/', 2);
        String pool = slash < 0 ? DEFAULT_POOL : target.substring(slash + 1);
        if (!pool.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"))
            throw new IllegalArgumentException(
                    "a pool's name has up to 64 letters, digits, dots, dashes: '" + pool + "' in " + url.text());
        List<String> servers = new ArrayList<>();
        for (String server : (slash < 0 ? target.substring(2) : target.substring(2, slash)).split(",", -1)) {
            boolean hasPort = server.startsWith("[") ? server.contains("]:") : server.contains(":");
            HostPort address = HostPort.parse("a server of ZooKeeper", hasPort ? server : server + DEFAULT_PORT);
            servers.add(address.toString());
        }
        return new ZkUrl(
                String.join(",", servers),
                pool,
                url.duration("zkTimeout", Duration.ofSeconds(5)),
                url.integer("nodes", 0, 0, 64),
                url);
    }

    /** Returns the credentials of this process for ZooKeeper's scheme {@code digest}; null if it has none. */
    byte[] digest() {
        if (whole.has(USER) != whole.has(TOKEN_FILE))
            throw new IllegalArgumentException(
                    "zkUser=NAME and zkTokenFile=FILE are given together, or neither: " + this);
        if (!whole.has(USER)) return null;
        String user = whole.string(USER, "");
        if (!user.matches("[A-Za-z0-9._-]{1,64}"))
            throw new IllegalArgumentException("zkUser takes up to 64 letters, digits, dots, dashes: " + this);
        String token = ClientCredentials.secret(Path.of(whole.string(TOKEN_FILE, "")), "the token file for ZooKeeper");
        return (user + ":" + token).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Throws an exception if no host resolves. Otherwise the client of ZooKeeper would retry for ever. One host that
     * resolves is enough: the others may become known later.
     */
    void requireHosts() {
        List<String> unknown = new ArrayList<>();
        String[] all = servers.split(",", -1);
        for (String server : all) {
            String host = server.substring(0, server.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
            try {
                InetAddress.getByName(host);
            } catch (UnknownHostException e) {
                unknown.add(host);
            }
        }
        if (unknown.size() == all.length)
            throw FabricException.unavailable("no such host: " + String.join(", ", unknown) + " in " + whole.text());
    }

    /** Returns the {@code tcp:} URL for connections to these addresses. */
    FabricUrl tcp(List<String> addresses) {
        FabricUrl rest = whole.without(PARAMETERS).without(PoolOptions.NAMES);
        int question = rest.text().indexOf('?');
        return FabricUrl.parse("tcp://" + String.join(",", addresses) + "/" + pool
                + (question < 0 ? "" : rest.text().substring(question)));
    }

    @Override
    public String toString() {
        return "zk://" + servers + "/" + pool;
    }
}
