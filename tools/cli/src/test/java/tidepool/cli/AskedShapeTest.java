package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.store.StoreException;
import tidepool.zookeeper.LocalZooKeeper;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.NodeRegistration;
import tidepool.zookeeper.ZkUrl;

/**
 * A program that asks for another shape of a pool than the existing one gets an error over the network, too, and the
 * pool stays as it is. {@code AskedGeometryTest} has the case of shared memory.
 */
@Timeout(120)
class AskedShapeTest {
    private static final String SHAPE = "replicas=2&memory=1m&coordinators=32";

    /** Parameter, asked value, value of the pool. */
    private static final String[][] OTHERS = {
        {"replicas", "1", "2"},
        {"replicas", "3", "2"},
        {"partitions", "3", "2"},
        {"memory", "2m", "1048576"},
        {"coordinators", "64", "32"}
    };

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    /** One row of the table. */
    record Item(@Key long id, long count) {}

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) open.get(i).close();
    }

    @Test
    void aPoolOfFixedNodesKeepsItsShape() {
        String url = "tcp://" + address(node("a", null)) + "," + address(node("b", null)) + "/pool";
        make(url);

        for (String[] other : OTHERS) assertRefused(url, other);

        assertStillThere(url + "?" + SHAPE);
    }

    /** A steward that went by such a URL would take the third node into the pool, and fill a third copy. */
    @Test
    void aPoolInZooKeeperKeepsItsShape() throws IOException {
        LibraryLogs.quiet();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        LocalZooKeeper zookeeper = new LocalZooKeeper(folder, any);
        open.add(zookeeper);
        String url = "zk://127.0.0.1:" + zookeeper.port() + "/pool";
        register(url, "a");
        register(url, "b");
        CommandRun create = CommandRun.of("pool", "create", url + "?" + SHAPE, "--nodes", "a,b");
        assertEquals(0, create.exitCode(), create::toString);
        register(url, "c");
        for (String[] other : OTHERS) assertRefused(url, other); // before it is laid out
        make(url);

        for (String[] other : OTHERS) assertRefused(url, other);

        CommandRun status = CommandRun.of("pool", "status", url + "?replicas=3");
        assertEquals(1, status.exitCode(), status::toString);
        assertTrue(status.err().contains("this pool was made with replicas=2, not with 3"), status::toString);
        assertStillThere(url + "?" + SHAPE);
        try (Tidepool pool = Tidepool.open(url)) {
            assertEquals(1, PoolAccess.roster(pool).epoch());
            assertEquals(2, PoolAccess.roster(pool).members().size());
        }
    }

    // ---- set-up

    /** @param identity its identity in a roster; null for a node of a pool of fixed nodes */
    private MemoryServer node(String name, String identity) {
        MemoryServer server =
                MemoryServer.start(NodeOptions.onLoopback(name, 0, 64 << 20).withIdentity(identity));
        open.add(server);
        return server;
    }

    private static String address(MemoryServer node) {
        return "127.0.0.1:" + node.address().getPort();
    }

    private void register(String url, String name) {
        String identity = name + "#1";
        String address = address(node(name, identity));
        NodeEntry entry = new NodeEntry(identity, address, name, Duration.ofSeconds(20), 64 << 20, 0);
        open.add(NodeRegistration.register(ZkUrl.parse(url), entry, _ -> {}));
    }

    private static void make(String url) {
        try (Tidepool pool = Tidepool.open(url + "?" + SHAPE)) {
            Table<Item> items = pool.table("items", Item.class);
            pool.transact(tx -> items.put(tx, new Item(1, 7)));
        }
    }

    private static void assertRefused(String url, String[] other) {
        String asked = url + "?" + other[0] + "=" + other[1];
        String refused = assertThrows(StoreException.class, () -> Tidepool.open(asked), asked)
                .getMessage();
        String what = other[0] + "=" + other[2];
        String begins = other[0].equals("memory")
                ? "this pool has " + what + ", not "
                : "this pool was made with " + what + ", not with ";
        assertTrue(refused.startsWith(begins), refused);
    }

    private static void assertStillThere(String url) {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Item> items = pool.table("items", Item.class);
            assertEquals(7, pool.read(tx -> items.get(tx, 1)).count());
        }
    }
}
