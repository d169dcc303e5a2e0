package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import tidepool.fabric.FabricException;
import tidepool.schema.Key;
import tidepool.store.StoreException;
import tidepool.zookeeper.LocalZooKeeper;

/** The life of a pool in ZooKeeper, with nodes as processes: made, a node killed, grown, shrunk. */
@Timeout(300)
@Tag("process")
class PoolCommandsTest {
    @TempDir
    Path folder;

    private LocalZooKeeper zookeeper;
    private String url;
    private final List<SeparateNode> nodes = new ArrayList<>();

    record Account(@Key long id, long balance) {}

    @BeforeEach
    void start() throws IOException {
        LibraryLogs.quiet();
        zookeeper =
                new LocalZooKeeper(folder.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        url = "zk://127.0.0.1:" + zookeeper.port() + "/bank?zkTimeout=60s";
    }

    @AfterEach
    void stop() {
        for (SeparateNode node : nodes) node.close();
        zookeeper.close();
    }

    private SeparateNode node(String name, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of("--name", name, "--zk", url, "--lease", "20s"));
        all.addAll(List.of(flags));
        SeparateNode node = SeparateNode.start(folder, all.toArray(String[]::new));
        nodes.add(node);
        return node;
    }

    private static String run(int code, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(code, run.exitCode(), run::toString);
        return run.out() + run.err();
    }

    /**
     * Clients need not name the flush mode again. A URL with another mode is refused, before and after the pool is laid
     * out.
     */
    @Tag("full")
    @Test
    void howAPoolIsFlushedIsKeptWithIt() throws Exception {
        for (String name : List.of("a", "b"))
            node(name, "--durability", "flush", "--dir", folder.resolve(name).toString());
        assertTrue(run(2, "pool", "create", url + "&protocol=farm&flush=selective")
                .contains("protocol farm has no switch 'flush'"));
        assertTrue(run(2, "pool", "create", url + "&flush=often").contains("flush"));
        run(0, "pool", "create", url + "&memory=1m&flush=selective", "--replicas", "2", "--nodes", "a,b");
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("account", Account.class);
            pool.transact(tx -> accounts.insert(tx, new Account(17, 100)));
        }
        try (Tidepool pool = Tidepool.open(url + "&flush=selective")) {
            Table<Account> accounts = pool.table("account", Account.class);
            assertEquals(100L, (long) pool.read(tx -> accounts.get(tx, 17).balance()));
        }
        for (String other : List.of("none", "full")) {
            String sentence = assertThrows(FabricException.class, () -> Tidepool.open(url + "&flush=" + other))
                    .getMessage();
            assertTrue(
                    sentence.startsWith("the pool was made with flush=selective, and everybody who uses it has to flush"
                            + " alike: not flush=" + other),
                    sentence);
        }
        assertTrue(run(1, "pool", "rebalance", url + "&flush=none").contains("the pool was made with flush=selective"));
        assertEquals("it is balanced already\n", run(0, "pool", "rebalance", url));
        run(0, "pool", "status", url);

        // M5: all copies are lost. The pool is not there, and never an empty one.
        for (SeparateNode node : nodes) node.signal("KILL");
        RuntimeException lost =
                assertThrows(RuntimeException.class, () -> Tidepool.open(url + "&timeout=3s&connect=1s"));
        assertTrue(lost instanceof FabricException || lost instanceof StoreException, lost.toString());
        assertTrue(run(1, "pool", "status", url).matches("(?s).*(gone|missing).*"));
    }

    @Test
    void aPoolIsMadeLosesANodeGrowsAndShrinks() throws Exception {
        SeparateNode a = node("a");
        node("b", "--alarm", "1%");
        SeparateNode c = node("c");
        assertTrue(a.ready().contains("registered as a#"), a.ready());
        assertTrue(run(1, "pool", "status", url).contains("there is no pool bank"));
        String made = run(0, "pool", "create", url + "&memory=1m&partitions=6", "--replicas", "2", "--nodes", "a,b");
        assertEquals("pool bank: 2 nodes, 6 partitions, 2 copies of each\n", made);
        assertTrue(run(1, "pool", "create", url).contains("there is a pool bank already"));
        String status = run(0, "pool", "status", url);
        assertTrue(status.contains("epoch 1, steady, 6 partitions, 2 copies of each"), status);
        assertTrue(status.contains("not a member"), "c is a spare: " + status);
        assertTrue(status.matches("(?s).*ALARM: b#\\S+ has used [0-9]+ % of its memory\n"), status);
        String json = run(0, "pool", "status", url, "--json");
        for (String field : List.of(
                "\"pool\" : \"bank\"",
                "\"epoch\" : 1",
                "\"steady\" : true",
                "\"well\" : true",
                "\"replicas\" : 2",
                "\"membersMissing\" : 0",
                "\"state\" : \"lives\"",
                "\"primaryOf\" : 3",
                "\"memoryLimit\" : " + (80 << 20),
                "\"memoryAlarm\" : true",
                "\"memoryAlarm\" : false",
                "\"diskFull\" : false",
                "\"alarms\" : [ \"memory b#")) assertTrue(json.contains(field), field + " is missing: " + json);

        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("account", Account.class);
            pool.transact(tx -> accounts.insert(tx, new Account(17, 100)));
            a.signal("KILL");
            pool.transact(tx -> accounts.insert(tx, new Account(18, 5)));
            assertEquals(100L, (long) pool.read(tx -> accounts.get(tx, 17).balance()));
            while (CommandRun.of("pool", "status", url).exitCode() != 0) Thread.sleep(100);
            String repaired = run(0, "pool", "status", "--partitions", url);
            assertTrue(
                    repaired.lines().noneMatch(line -> line.startsWith("a#") && !line.endsWith("gone"))
                            && repaired.lines().anyMatch(line -> line.matches("c#.*lives.*")),
                    "the spare took its place: " + repaired);

            node("d");
            run(0, "pool", "add", url, "d");
            assertEquals("it is balanced already\n", run(0, "pool", "rebalance", url));
            assertTrue(run(0, "pool", "status", url).contains("d#"));
            run(0, "pool", "remove", url, "c");
            assertEquals(0, c.exitCode(), "it ends by itself");
            assertTrue(c.log().contains("was removed from the pool bank"), c.log());
            assertEquals(105L, (long) pool.read(
                    tx -> accounts.get(tx, 17).balance() + accounts.get(tx, 18).balance()));
        }
        assertTrue(run(1, "pool", "remove", url, "d").contains("add one first"), "two copies need two nodes");
        assertTrue(run(1, "pool", "add", url, "x").contains("no node x has registered"));
        assertTrue(run(1, "pool", "remove", url, "x").contains("no member x"));
    }

    @Test
    void badInputIsASentence() {
        assertTrue(run(2, "pool", "status", "tcp://127.0.0.1:1/p").contains("zk://HOST:PORT"));
        assertTrue(run(2, "pool", "status", "zk://127.0.0.1:1/p?color=red").contains("color"));
        assertTrue(run(1, "pool", "status", "zk://127.0.0.1:1/p?zkTimeout=200ms")
                .contains("ZooKeeper at 127.0.0.1:1 does not answer within 200 ms"));
        String few = run(1, "pool", "create", url, "--count", "3", "--wait", "1ms");
        assertTrue(few.contains("waiting for nodes: 0 of 3 have registered"), few);
        assertTrue(few.contains("the pool bank is to be made of 3 nodes, and 0 have registered"), few);
        assertTrue(
                run(2, "pool", "create", url, "--count", "3", "--nodes", "a,b").contains("take one of them"));
        assertTrue(run(2, "pool", "create", url, "--count", "1", "--replicas", "2")
                .contains("a pool of 1 nodes has no room for 2 copies"));
        assertTrue(run(2, "node", "--alarm", "none").contains("--alarm takes 1% to 100%"));
        assertTrue(run(2, "node", "--zk", "zk:x").contains("zk://HOST:PORT"));
        assertTrue(run(1, "node", "--zk", url, "--dir", folder.resolve("n").toString())
                .contains("needs --durability flush or strict"));
        assertTrue(run(1, "zookeeper", "--dir", folder.toString(), "--listen", "0.0.0.0:0")
                .contains("for trying"));
    }
}
