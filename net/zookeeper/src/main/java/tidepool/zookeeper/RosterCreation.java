package tidepool.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Consumer;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.store.FlushPolicy;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/** Creates the first roster of a pool from registered nodes. */
public final class RosterCreation {
    private static final long LOOK_MILLIS = 100;
    private static final String FLUSH = "flush";
    private static final String LOG_HEAP = "logheap";
    private static final String MEMORY = "memory";

    private final ZkUrl url;
    private final ZooKeeperClient client;
    private final PoolPaths paths;
    private final PoolOptions options;
    private final FlushPolicy flush;

    RosterCreation(ZkUrl url, ZooKeeperClient client) {
        this.url = url;
        this.client = client;
        this.paths = new PoolPaths(url.pool());
        this.options = PoolOptions.of(url.whole());
        this.flush = url.whole().choice(FLUSH, FlushPolicy.NONE);
    }

    /**
     * Creates a pool of the nodes with these names, in this order. Waits until all of them are registered. Throws an
     * exception with a sentence if the pool exists already, or nodes are missing.
     *
     * @param names if empty, the pool is created of {@code nodes=} registered nodes, the first by name. If the URL has
     *     no such number, it is created of all registered nodes as soon as there are enough for all copies
     * @param told called with a sentence while nodes are missing, whenever their number has changed
     */
    public static Roster create(ZkUrl url, List<String> names, Duration patience, Consumer<String> told) {
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            RosterCreation creation = new RosterCreation(url, client);
            if (client.read(creation.paths.roster()) != null)
                throw FabricException.unavailable("there is a pool " + url.pool() + " already in " + url);
            if (names.isEmpty() && url.nodes() > 0 && url.nodes() < creation.options.replicas())
                throw new IllegalArgumentException("a pool of " + url.nodes() + " nodes has no room for "
                        + creation.options.replicas() + " copies of everything");
            List<NodeEntry> nodes;
            if (!names.isEmpty()) nodes = creation.await(names, patience, told);
            else if (url.nodes() > 0) nodes = creation.awaitFirst(url.nodes(), patience, told);
            else nodes = creation.await(creation.options.replicas(), patience, told);
            Roster roster = creation.write(nodes);
            if (roster == null) throw FabricException.unavailable("somebody else has just made the pool " + url.pool());
            return roster;
        }
    }

    /** Creates a pool that does not exist when it is opened: of the first {@code count} nodes by name. */
    void createOfAny(int count, Duration patience) {
        write(awaitFirst(count, patience, _ -> {})); // no effect if another process has created the pool
    }

    private List<NodeEntry> awaitFirst(int count, Duration patience, Consumer<String> told) {
        List<NodeEntry> nodes = new ArrayList<>(await(count, patience, told));
        nodes.sort(Comparator.comparing(NodeEntry::name).thenComparing(NodeEntry::identity));
        return nodes.subList(0, count);
    }

    private List<NodeEntry> await(int count, Duration patience, Consumer<String> told) {
        NodeRegistry registry = new NodeRegistry(client, paths);
        long deadline = System.nanoTime() + patience.toNanos();
        int before = -1;
        while (true) {
            List<NodeEntry> nodes = registry.all();
            if (nodes.size() >= count) return nodes;
            if (nodes.size() != before) told.accept(found(nodes.size(), count));
            before = nodes.size();
            if (System.nanoTime() > deadline)
                throw FabricException.unavailable("the pool " + url.pool() + " is to be made of " + count
                        + " nodes, and " + nodes.size() + " have registered in " + url
                        + ": start them by ./tidepool node --zk");
            pause();
        }
    }

    private static String found(int registered, int count) {
        return "waiting for nodes: " + registered + " of " + count + (registered == 1 ? " has" : " have")
                + " registered";
    }

    private List<NodeEntry> await(List<String> names, Duration patience, Consumer<String> told) {
        NodeRegistry registry = new NodeRegistry(client, paths);
        long deadline = System.nanoTime() + patience.toNanos();
        int before = -1;
        while (true) {
            List<NodeEntry> nodes = registry.all();
            List<NodeEntry> wanted = new ArrayList<>();
            StringJoiner missing = new StringJoiner(", ");
            for (String name : names) {
                List<NodeEntry> found =
                        nodes.stream().filter(node -> isCalled(node, name)).toList();
                if (found.size() > 1)
                    throw FabricException.unavailable("several nodes are called " + name + " in " + url
                            + "; name it by its identity, such as "
                            + found.getFirst().identity());
                if (found.isEmpty()) missing.add(name);
                else wanted.add(found.getFirst());
            }
            if (missing.length() == 0) return wanted;
            if (wanted.size() != before) told.accept(found(wanted.size(), names.size()) + ", missing: " + missing);
            before = wanted.size();
            if (System.nanoTime() > deadline)
                throw FabricException.unavailable("no such nodes have registered in " + url + ": " + missing + "; "
                        + wanted.size() + " of " + names.size() + " have");
            pause();
        }
    }

    private static boolean isCalled(NodeEntry node, String name) {
        return node.name().equals(name)
                || node.identity().equals(name)
                || node.address().equals(name);
    }

    /** Writes options and roster. Returns null if there is a roster already. */
    private Roster write(List<NodeEntry> nodes) {
        Set<String> addresses = new LinkedHashSet<>();
        for (NodeEntry node : nodes)
            if (!addresses.add(node.address()))
                throw FabricException.unavailable(
                        "two nodes are registered at " + node.address() + ": wait until the older one is forgotten");
        int partitions = options.partitions() == 0 ? nodes.size() : options.partitions();
        Roster roster =
                RosterPlan.first(nodes.stream().map(NodeEntry::member).toList(), partitions, options.replicas());
        String agreed = "protocol=" + options.protocol() + "&replicas=" + options.replicas() + "&partitions="
                + partitions
                + "&" + MEMORY + "=" + options.partitionBytes() + "&coordinators=" + options.coordinators() + "&log="
                + options.logSlotBytes()
                // Earlier programs do not know it.
                + (url.whole().has(LOG_HEAP) ? "&" + LOG_HEAP + "=" + options.logHeapBytes() : "")
                + (url.whole().has(FLUSH) ? "&" + flush.text() : "");
        // Options first: where a roster exists, everything exists. A process that died here has left options without a
        // roster. The next creator overwrites them with its own.
        if (!client.create(paths.options(), agreed, false)) {
            ZooKeeperClient.Found left = client.read(paths.options());
            if (client.read(paths.roster()) == null && left != null)
                client.replace(paths.options(), agreed, left.stat().getVersion());
        }
        return client.create(paths.roster(), roster.text(), false) ? roster : null;
    }

    /**
     * Returns the URL with the pool's agreed options as parameters. Refuses a URL with other options than the agreed
     * ones before a steward goes by them. The memory is that with which the pool was made, whatever the URL asks for:
     * the catalog has what it has now.
     */
    static FabricUrl complete(FabricUrl asked, String agreed) {
        FabricUrl url = agreed.contains(MEMORY + "=") ? asked.without(List.of(MEMORY)) : asked;
        StringBuilder text = new StringBuilder(url.text());
        char separator = url.text().indexOf('?') < 0 ? '?' : '&';
        for (String pair : agreed.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) continue;
            if (!PoolOptions.NAMES.contains(pair.substring(0, equals))) continue; // an option of a newer program
            if (pair.startsWith(FLUSH + "=") && url.has(FLUSH)) requireAlike(url, pair);
            PoolOptions.requireAlike(url, FabricUrl.parse("zk:?" + pair));
            if (url.has(pair.substring(0, equals))) continue;
            text.append(separator).append(pair);
            separator = '&';
        }
        return FabricUrl.parse(text.toString());
    }

    private static void requireAlike(FabricUrl url, String agreed) {
        String asked = url.choice(FLUSH, FlushPolicy.NONE).text();
        if (!asked.equals(agreed))
            throw FabricException.unavailable("the pool was made with " + agreed
                    + ", and everybody who uses it has to flush alike: not " + asked
                    + "; leave it out of the URL, and it is as the pool has it: " + url.text());
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw FabricException.unavailable("interrupted while waiting for nodes", e);
        }
    }
}
