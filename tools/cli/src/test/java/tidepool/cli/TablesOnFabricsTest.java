package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Sequence;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.FabricUrl;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.Effort;
import tidepool.zookeeper.LocalZooKeeper;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.NodeRegistration;
import tidepool.zookeeper.ZkUrl;

/**
 * What tables can do, they can do on every fabric of several processes: two openings of one pool make a table grow,
 * have long values, large transactions and keys of several parts, and change schemas next to each other.
 */
@Timeout(600)
@Tag("full")
@Tag("process")
class TablesOnFabricsTest {
    private static final int ROWS = Effort.of(1_000, 3_000, 30_000);
    private static final int WRITES = Effort.of(2_000, 10_000, 10_000);
    private static final int LONG_BYTES = 1 << 20;
    private static final int NUMBERS = 300;
    private static final int KEYS = 100;
    private static final long NODE_BYTES = 512 << 20;
    private static final String PARAMETERS = "replicas=2&memory=48m&timeout=60s&protocol=";
    private static final Duration LEASE = Duration.ofSeconds(20);

    record Order(@Key long id, long amount) {}

    record Item(@Key UUID id, @Key @Length(20) String name, long count) {}

    record Document(@Key long id, byte[] content) {}

    @TempDir
    private Path folder;

    static List<String> protocols() {
        return List.of("ford", "motor", "hdtx");
    }

    /** Two openings of files have memory of their own, as two processes do; a third process reads what they left. */
    @ParameterizedTest
    @MethodSource("protocols")
    void onSharedMemory(String protocol) throws Exception {
        String url = "shm:" + folder.resolve("pool") + "?nodes=2&" + PARAMETERS + protocol;
        play(url, () -> {});
        try (ChildProcess count = ChildProcess.jvm(
                        List.of(
                                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1"),
                        Main.class,
                        "table",
                        "count",
                        url,
                        "sold")
                .start()) {
            assertEquals(Integer.toString(ROWS), count.rest().strip(), count::errors);
            assertEquals(0, count.exitCode(), count::errors);
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void onTwoMemoryNodes(String protocol) throws Exception {
        try (MemoryServer one = MemoryServer.start(NodeOptions.onLoopback("one", 0, NODE_BYTES));
                MemoryServer two = MemoryServer.start(NodeOptions.onLoopback("two", 0, NODE_BYTES))) {
            play("tcp://" + address(one) + "," + address(two) + "/pool?" + PARAMETERS + protocol, () -> {});
        }
    }

    /** While the table grows, a node becomes a member, and its copies are filled. */
    @ParameterizedTest
    @MethodSource("protocols")
    void onNodesThatCome(String protocol) throws Exception {
        LibraryLogs.quiet();
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (LocalZooKeeper zookeeper = new LocalZooKeeper(folder.resolve("zk"), anyPort);
                Nodes nodes = new Nodes("zk://127.0.0.1:" + zookeeper.port() + "/bank?zkTimeout=60s")) {
            nodes.start("a");
            nodes.start("b");
            command("pool", "create", nodes.url + "&partitions=4&" + PARAMETERS + protocol, "--nodes", "a,b");
            play(nodes.url + "&timeout=60s", () -> {
                nodes.start("c");
                command("pool", "add", nodes.url, "c");
            });
            String status = command("pool", "status", nodes.url);
            assertTrue(status.contains("steady, 4 partitions, 2 copies of each"), status);
        }
    }

    /** Memory nodes of this process that register in ZooKeeper. */
    private static final class Nodes implements AutoCloseable {
        final String url;
        private final List<Runnable> closing = new ArrayList<>();

        Nodes(String url) {
            this.url = url;
        }

        void start(String name) throws IOException {
            String identity = name + "#0";
            MemoryServer server = MemoryServer.start(NodeOptions.onLoopback(name, 0, NODE_BYTES)
                    .withLease(LEASE, Duration.ofMillis(10))
                    .withIdentity(identity));
            closing.add(server::close);
            NodeEntry entry = new NodeEntry(identity, address(server), name, LEASE, NODE_BYTES, 0);
            NodeRegistration registration =
                    NodeRegistration.register(ZkUrl.of(FabricUrl.parse(url)), entry, line -> {});
            closing.add(registration::close);
        }

        @Override
        public void close() {
            closing.reversed().forEach(Runnable::run);
        }
    }

    private static String address(MemoryServer server) {
        return "127.0.0.1:" + server.address().getPort();
    }

    private static String command(String... words) {
        CommandRun run = CommandRun.of(words);
        assertEquals(0, run.exitCode(), run::toString);
        return run.out();
    }

    private interface Act {
        void run() throws Exception;
    }

    /** @param meanwhile an act next to the growth of the first table */
    private static void play(String url, Act meanwhile) throws Exception {
        try (Tidepool one = Tidepool.open(url);
                Tidepool two = Tidepool.open(url)) {
            aTableGrows(one, two, meanwhile);
            longValues(one, two);
            largeTransactions(one, two);
            keysOfSeveralParts(one, two);
            sequences(one, two);
            changes(one, two);
        }
    }

    private static void aTableGrows(Tidepool one, Tidepool two, Act meanwhile) throws Exception {
        Table<Order> orders = one.table("orders", Order.class, 1);
        Table<Order> others = two.table("orders", Order.class, 1);
        CountDownLatch begun = new CountDownLatch(ROWS / 4);
        together(List.of(() -> insert(one, orders, 0, begun), () -> insert(two, others, 1, begun), () -> {
            assertTrue(begun.await(300, TimeUnit.SECONDS), "inserts do not come forward");
            meanwhile.run();
            return null;
        }));
        TableLayout layout = PoolAccess.layout(orders.handle());
        assertTrue(layout.areaCount() > 3, "the table has grown: areas=" + layout.areaCount());
        for (Tidepool pool : List.of(one, two)) {
            Table<Order> known = pool == one ? orders : others;
            Map<Long, Long> found = new HashMap<>();
            known.forEach(row -> assertNull(found.put(row.id(), row.amount()), "twice"));
            assertEquals(ROWS, found.size());
            found.forEach((id, amount) -> assertEquals(7 * id, amount));
            assertNull(pool.read(tx -> known.get(tx, ROWS)));
        }
    }

    private static Void insert(Tidepool pool, Table<Order> orders, int from, CountDownLatch begun) {
        for (long id = from; id < ROWS; id += 2) {
            Order order = new Order(id, 7 * id);
            pool.transact(tx -> orders.insert(tx, order));
            begun.countDown();
        }
        return null;
    }

    private static void longValues(Tidepool one, Tidepool two) {
        Table<Document> documents = one.table("documents", Document.class, 1);
        Table<Document> others = two.table("documents", Document.class, 1);
        byte[] content = new byte[LONG_BYTES];
        for (int i = 0; i < content.length; i++) content[i] = (byte) (i * 31 + (i >> 8));
        one.transact(tx -> documents.insert(tx, new Document(1, content)));
        assertArrayEquals(content, two.read(tx -> others.get(tx, 1)).content());
        byte[] shorter = {1, 2, 3};
        two.transact(tx -> others.put(tx, new Document(1, shorter)));
        assertArrayEquals(shorter, one.read(tx -> documents.get(tx, 1)).content());
    }

    private static void largeTransactions(Tidepool one, Tidepool two) {
        Table<Order> many = one.table("many", Order.class, WRITES);
        Table<Order> others = two.table("many", Order.class, WRITES);
        one.transact(tx -> {
            for (long id = 0; id < WRITES; id++) many.insert(tx, new Order(id, id));
        });
        two.transact(tx -> {
            for (long id = 0; id < WRITES; id++) others.put(tx, new Order(id, 3 * id));
        });
        Map<Long, Long> found = new HashMap<>();
        many.forEach(row -> found.put(row.id(), row.amount()));
        assertEquals(WRITES, found.size());
        found.forEach((id, amount) -> assertEquals(3 * id, amount));
    }

    private static void keysOfSeveralParts(Tidepool one, Tidepool two) {
        Table<Item> items = one.table("items", Item.class, 1);
        Table<Item> others = two.table("items", Item.class, 1);
        for (long i = 0; i < KEYS; i++) {
            Item item = new Item(new UUID(i % 3, i), "item " + i, i);
            one.transact(tx -> items.insert(tx, item));
        }
        for (long i = 0; i < KEYS; i++) {
            Item item = new Item(new UUID(i % 3, i), "item " + i, i);
            assertEquals(item, two.read(tx -> others.get(tx, item.id(), item.name())));
            assertNull(two.read(tx -> others.get(tx, item.id(), "no " + item.name())));
        }
    }

    /** No number is given out twice. */
    private static void sequences(Tidepool one, Tidepool two) throws Exception {
        Set<Long> all = Collections.synchronizedSet(new HashSet<>());
        List<Callable<Void>> takers = new ArrayList<>();
        for (Tidepool pool : List.of(one, two))
            takers.add(() -> {
                Sequence numbers = pool.sequence("numbers");
                for (int i = 0; i < NUMBERS; i++) assertTrue(all.add(numbers.next()), "a number is given out twice");
                return null;
            });
        together(takers);
        assertEquals(2 * NUMBERS, all.size());
    }

    /** A change by one opening holds for the other one, whose handle tells what has happened. */
    private static void changes(Tidepool one, Tidepool two) {
        Table<Order> orders = two.table("orders", Order.class, 1);
        one.alter("orders", Schema.parse("orders(total:long)"));
        assertEquals(7L, two.read(tx -> orders.get(tx, 1)).amount(), "an open table goes on with its record");
        assertThrows(RuntimeException.class, () -> one.table("orders", Order.class, 1), "another schema");
        two.rename("orders", "sold");
        assertThrows(StoreException.class, () -> two.read(tx -> orders.get(tx, 1)));
        assertEquals(ROWS, one.size("sold").rows());

        Table<Order> many = one.table("many", Order.class, WRITES);
        Table<Order> others = two.table("many", Order.class, WRITES);
        two.truncate("many");
        assertNull(one.read(tx -> many.get(tx, 1)));
        one.transact(tx -> many.insert(tx, new Order(1, 1)));
        assertNotNull(two.read(tx -> others.get(tx, 1)));
        one.drop("many");
        String dropped = assertThrows(StoreException.class, () -> two.read(tx -> others.get(tx, 1)))
                .getMessage();
        assertTrue(dropped.startsWith("table many was dropped"), dropped);
        Table<Order> again = two.table("many", Order.class, 10);
        assertNull(two.read(tx -> again.get(tx, 1)), "the memory of the dropped table is empty");
    }

    /** Runs all in threads of their own, and waits for them. */
    private static void together(List<Callable<Void>> acts) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(acts.size())) {
            List<Future<Void>> results = new ArrayList<>();
            for (Callable<Void> act : acts) results.add(executor.submit(act));
            for (Future<Void> result : results) result.get(500, TimeUnit.SECONDS);
        }
    }
}
