package tidepool.workload.site;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import tidepool.node.journal.Durability;
import tidepool.wire.NodeStatus;
import tidepool.workload.proxy.FaultProxy;

/**
 * Three memory nodes, each its own process, on free ports of loopback. Clients reach them directly, or, if faults are
 * injected, each through its own proxies.
 */
public final class TcpSite implements Site {
    static final int NODES = 3;

    private static final String POOL = "pool";

    /** The number of looks for leftovers. A node sees the end of a process when it looks, not when the process ends. */
    private static final int TRIES = 200;

    private static final int PAUSE_MILLIS = 50;

    private final Path folder;
    private final Nodes how;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final String parameters;
    private final boolean proxied;
    private final Map<Integer, List<FaultProxy>> proxies = new ConcurrentHashMap<>();
    private List<Map<String, Long>> base;

    /**
     * The settings of the nodes.
     *
     * @param main the class that runs in their processes
     * @param lease the silence after which a client is suspected
     * @param grace how long a client may be without a connection
     * @param proxied whether clients get proxies
     * @param durability what a FLUSH outlasts
     */
    public record Nodes(String main, Duration lease, Duration grace, boolean proxied, Durability durability) {
        /**
         * Clients reach the nodes directly. The lease is long, so a busy machine causes no suspicion; a dead client is
         * suspected because its connections end.
         */
        public static final Nodes DEFAULT = new Nodes(
                SiteNodeMain.class.getName(), Duration.ofSeconds(10), Duration.ofMillis(10), false, Durability.NONE);

        /** The default with proxies, and a lease for which a test can wait. */
        public static final Nodes PROXIED = new Nodes(
                SiteNodeMain.class.getName(), Duration.ofSeconds(2), Duration.ofMillis(10), true, Durability.NONE);

        /** Returns these settings with another durability, for a journal. */
        public Nodes withDurability(Durability other) {
            return new Nodes(main, lease, grace, proxied, other);
        }
    }

    /** Returns a maker of such sites. */
    public static Maker maker(Nodes how) {
        return (folder, parameters) -> new TcpSite(folder, parameters, how);
    }

    /** Starts the nodes. Waits until they can be reached. */
    public TcpSite(Path folder, String parameters, Nodes how) {
        this.folder = folder;
        this.how = how;
        this.parameters = parameters;
        this.proxied = how.proxied();
        try {
            for (int i = 0; i < NODES; i++) nodes.add(NodeProcess.start(folder, i, how));
            for (NodeProcess node : nodes) node.awaitReady();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public String url() {
        return url(POOL) + "?" + parameters;
    }

    /** Returns the URL of another pool at these nodes, without parameters. */
    public String url(String pool) {
        return url(nodes.stream().map(NodeProcess::address).toList(), pool);
    }

    @Override
    public String urlOf(int client) {
        if (!proxied) return url();
        return url(proxies(client).stream().map(FaultProxy::address).toList(), POOL) + "?" + parameters;
    }

    private static String url(List<InetSocketAddress> addresses, String pool) {
        List<String> parts = new ArrayList<>();
        for (InetSocketAddress at : addresses) parts.add(at.getAddress().getHostAddress() + ":" + at.getPort());
        return "tcp://" + String.join(",", parts) + "/" + pool;
    }

    /** Returns the proxies between a client and each node, by the number of the node. */
    public List<FaultProxy> proxies(int client) {
        return proxies.computeIfAbsent(
                client,
                c -> nodes.stream().map(node -> new FaultProxy(node.address())).toList());
    }

    /** Closes the proxies of a client that has ended. */
    public void dropProxies(int client) {
        List<FaultProxy> gone = proxies.remove(client);
        if (gone != null) gone.forEach(FaultProxy::close);
    }

    /** Kills all nodes at once, and restarts them at their addresses from their disks. Waits until they are up. */
    public void losePower() {
        List<InetSocketAddress> places =
                nodes.stream().map(NodeProcess::address).toList();
        for (NodeProcess node : nodes) node.close();
        for (NodeProcess node : nodes) node.kill();
        nodes.clear();
        for (int i = 0; i < NODES; i++)
            nodes.add(NodeProcess.start(folder, i, places.get(i).getPort(), how));
        for (NodeProcess node : nodes) node.awaitReady();
    }

    @Override
    public String text() {
        return "each a process, at " + url(POOL);
    }

    /**
     * Returns the resources that a node holds for its clients, by name. It does not matter for which client: all must
     * be released.
     */
    private static Map<String, Long> held(NodeProcess node) throws InterruptedException {
        NodeStatus status = node.status();
        Map<String, Long> held = new TreeMap<>();
        held.put("connections", (long) status.clients().size());
        held.put("bytes of memory", status.memoryUsed());
        for (NodeStatus.Pool pool : status.pools()) {
            held.put("sessions of " + pool.name(), pool.sessions());
            held.put("suspects of " + pool.name(), pool.suspects());
            held.put("regions of " + pool.name(), pool.regions());
        }
        return held;
    }

    @Override
    public List<String> leftovers() throws InterruptedException {
        List<Map<String, Long>> now = new ArrayList<>();
        for (NodeProcess node : nodes) now.add(held(node));
        if (base == null) {
            base = now;
            return List.of();
        }
        List<String> more = more(now);
        for (int tries = 0; !more.isEmpty() && tries < TRIES; tries++) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            for (int i = 0; i < now.size(); i++) now.set(i, held(nodes.get(i)));
            more = more(now);
        }
        return more;
    }

    private List<String> more(List<Map<String, Long>> now) {
        List<String> more = new ArrayList<>();
        for (int i = 0; i < now.size(); i++)
            for (Map.Entry<String, Long> one : now.get(i).entrySet()) {
                long before = base.get(i).getOrDefault(one.getKey(), 0L);
                if (one.getValue() > before)
                    more.add("node " + i + ": " + one.getValue() + " " + one.getKey() + ", at first " + before);
            }
        return more;
    }

    @Override
    public void requireSound() {
        for (NodeProcess node : nodes) node.requireSound();
    }

    @Override
    public void close() {
        for (int client : proxies.keySet()) dropProxies(client);
        for (NodeProcess node : nodes) node.close();
    }
}
