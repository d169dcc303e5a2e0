package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.workload.proxy.Direction;
import tidepool.workload.proxy.FaultProxy;
import tidepool.zookeeper.LocalZooKeeper;

/**
 * Row N4: a memory node, in its own process, is cut off from all clients and not from ZooKeeper. Clients reach it
 * through a proxy that stops passing frames on. The node's lease in ZooKeeper is longer than the test.
 */
@Timeout(300)
@Tag("process")
class UnreachableMemberTest {
    private static final long KEYS = 12;

    @TempDir
    Path folder;

    private LocalZooKeeper zookeeper;
    private FaultProxy proxy;
    private String url;
    private final List<SeparateNode> nodes = new ArrayList<>();

    record Account(@Key long id, long balance) {}

    @BeforeEach
    void start() throws IOException {
        LibraryLogs.quiet();
        zookeeper =
                new LocalZooKeeper(folder.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        url = "zk://127.0.0.1:" + zookeeper.port() + "/bank?zkTimeout=60s";
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        proxy = new FaultProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        node("a");
        node("b");
        node(
                "c",
                "--listen",
                "127.0.0.1:" + port,
                "--zk-address",
                "127.0.0.1:" + proxy.address().getPort());
        run(0, "pool", "create", url + "&memory=1m", "--replicas", "2", "--nodes", "a,b,c");
    }

    @AfterEach
    void stop() {
        for (SeparateNode node : nodes) node.close();
        proxy.close();
        zookeeper.close();
    }

    private void node(String name, String... flags) throws IOException {
        List<String> all =
                new ArrayList<>(List.of("--name", name, "--zk", url, "--lease", "3s", "--zk-lease", "1000s"));
        all.addAll(List.of(flags));
        nodes.add(SeparateNode.start(folder, all.toArray(String[]::new)));
    }

    private static String run(int code, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(code, run.exitCode(), run::toString);
        return run.out() + run.err();
    }

    /** A member that two clients cannot reach is taken out, and they continue. */
    @Tag("full")
    @Test
    void aMemberThatClientsCannotReachIsTakenOut() throws Exception {
        String patient = url + "&timeout=120s";
        try (Tidepool one = Tidepool.open(patient);
                Tidepool two = Tidepool.open(patient)) {
            Table<Account> accounts = one.table("account", Account.class);
            for (long id = 0; id < KEYS; id++) {
                long key = id;
                one.transact(tx -> accounts.insert(tx, new Account(key, 100)));
            }
            Table<Account> same = two.table("account", Account.class);
            proxy.blackHole(Direction.TO_NODE, Direction.TO_CLIENT);
            String status = run(1, "pool", "status", url);
            assertTrue(status.contains("1 member does not answer here") && status.contains("unreachable"), status);
            for (long id = 0; id < KEYS; id++) {
                long key = id;
                two.transact(tx -> same.update(tx, key).set(new Account(key, 101)));
            }
            assertEquals(2, PoolAccess.roster(two).members().size());
            for (long id = 0; id < KEYS; id++) {
                long key = id;
                assertEquals(101L, (long) one.read(tx -> accounts.get(tx, key).balance()));
            }
        }
        assertEquals(0, nodes.get(2).exitCode(), "the node that was taken out ends by itself");
        run(0, "pool", "repair", url, "--yes"); // the clients may have left before all copies were filled
        String status = run(0, "pool", "status", url);
        assertTrue(status.contains("steady") && !status.contains("c#"), status);
    }

    /**
     * Commands report the fault, change nothing that they cannot carry out, and take the member out by force when
     * asked.
     */
    @Test
    void commandsTryConnectionsAndTakeOutByForce() {
        proxy.cutOff();
        String status = run(1, "pool", "status", url);
        assertTrue(status.contains("unreachable"), status);
        String repair = run(1, "pool", "repair", url);
        assertTrue(repair.contains("does not answer here") && repair.contains("remove --force"), repair);
        String remove = run(1, "pool", "remove", url, "c");
        assertTrue(remove.contains("nothing was changed") && remove.contains("--force"), remove);
        assertTrue(run(1, "pool", "status", url).contains("epoch 1, steady"), "nothing is left half-way");
        run(0, "pool", "remove", url, "--force", "c");
        assertTrue(run(0, "pool", "status", url).contains("steady"));
    }

    /** A repair is the only process that has the pool open, and its word is enough. */
    @Tag("full")
    @Test
    void aRepairTakesOutWhatItCannotReach() {
        proxy.cutOff();
        run(0, "pool", "repair", url, "--yes");
        assertTrue(run(0, "pool", "status", url).contains("steady"));
        proxy.heal();
        for (String name : List.of("a", "b")) {
            String refused = run(1, "pool", "remove", url, "--force", "a", "b");
            assertTrue(refused.contains("no whole one is left"), name + refused);
        }
    }
}
