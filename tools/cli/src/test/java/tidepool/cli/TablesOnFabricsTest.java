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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Cell;
import tidepool.Sequence;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.FabricUrl;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;
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
 * What tables can do, they can do on every fabric of several processes and under every protocol: two openings of one
 * pool make a table grow, have long values, large transactions and keys of several parts, and change schemas next to
 * each other.
 */
@Timeout(600)
@Tag("full")
@Tag("process")
class TablesOnFabricsTest {
    private static final int ROWS = Effort.of(1_000, 3_000, 30_000);
    private static final int WRITES = Effort.of(2_000, 10_000, 10_000);
    private static final int BOOKS = Effort.of(600, 1_200, 12_000);
    private static final int LONG_BYTES = 1 << 20;
    private static final int NUMBERS = 300;
    private static final int KEYS = 100;
    private static final long NODE_BYTES = 512 << 20;
    private static final long MORE_MEMORY = 64 << 20;
    private static final String PARAMETERS = "replicas=2&memory=48m&timeout=60s&protocol=";
    private static final Duration LEASE = Duration.ofSeconds(20);

    /** Protocols whose tables get a part of the rows, to spare time. */
    private static final Set<String> SHORTER = Set.of("ford-lv&vcache=global", "farm", "farmv2", "drtmh");

    record Order(@Key long id, long amount) {}

    record Item(@Key UUID id, @Key @Length(20) String name, long count) {}

    record Document(@Key long id, byte[] content) {}

    record Book(@Key long id, int sold, @Length(6) String title, int shelf) {}

    /** A book of the second edition of the schema. */
    record NewBook(@Key long id, long sold, @Length(12) String title, long pages) {}

    private static final SchemaChange EDITION = new SchemaChange()
            .widen("sold", AttributeType.LONG)
            .widen("title", AttributeType.string(12))
            .drop("shelf", "7")
            .add("pages", AttributeType.LONG, "-1");

    @TempDir
    private Path folder;

    static List<String> protocols() {
        return List.of("ford", "ford-lv&vcache=global", "farm", "farmv2", "drtmh", "motor", "hdtx");
    }

    /** To spare time: the nodes of {@link #onNodesThatCome} are memory nodes, too. */
    static List<String> protocolsOfTwoNodes() {
        return protocols().stream()
                .filter(each -> Effort.current() == Effort.NIGHT || !SHORTER.contains(each))
                .toList();
    }

    private static int rows(String protocol) {
        return SHORTER.contains(protocol) ? ROWS / 6 : ROWS;
    }

    /** Two openings of files have memory of their own, as two processes do; a third process reads what they left. */
    @ParameterizedTest
    @MethodSource("protocols")
    void onSharedMemory(String protocol) throws Exception {
        String url = "shm:" + folder.resolve("pool") + "?nodes=2&" + PARAMETERS + protocol;
        play(url, protocol, _ -> {});
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
            assertEquals(Integer.toString(rows(protocol)), count.rest().strip(), count::errors);
            assertEquals(0, count.exitCode(), count::errors);
        }
    }

    @ParameterizedTest
    @MethodSource("protocolsOfTwoNodes")
    void onTwoMemoryNodes(String protocol) throws Exception {
        try (MemoryServer one = MemoryServer.start(NodeOptions.onLoopback("one", 0, NODE_BYTES));
                MemoryServer two = MemoryServer.start(NodeOptions.onLoopback("two", 0, NODE_BYTES))) {
            play("tcp://" + address(one) + "," + address(two) + "/pool?" + PARAMETERS + protocol, protocol, _ -> {});
        }
    }

    /** While a table grows, and while rows move, a node becomes a member, and its copies are filled. */
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
            play(nodes.url + "&timeout=60s&protocol=" + protocol, protocol, name -> {
                nodes.start(name);
                command("pool", "add", nodes.url, name);
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

    /** Makes a node a member of the pool, if the fabric has such nodes. */
    private interface Arrival {
        void of(String name) throws Exception;
    }

    private static void play(String url, String protocol, Arrival arrival) throws Exception {
        try (Tidepool one = Tidepool.open(url);
                Tidepool two = Tidepool.open(url)) {
            int rows = rows(protocol);
            int writes = SHORTER.contains(protocol) ? WRITES / 20 : WRITES;
            aTableGrows(one, two, rows, arrival);
            longValues(one, two);
            largeTransactions(one, two, writes);
            keysOfSeveralParts(one, two);
            sequences(one, two);
            rowsMove(one, two, SHORTER.contains(protocol) ? BOOKS / 2 : BOOKS, arrival);
            changes(one, two, rows, writes);
        }
    }

    private static void aTableGrows(Tidepool one, Tidepool two, int rows, Arrival arrival) throws Exception {
        Table<Order> orders = one.table("orders", Order.class, 1);
        Table<Order> others = two.table("orders", Order.class, 1);
        CountDownLatch begun = new CountDownLatch(rows / 4);
        together(List.of(() -> insert(one, orders, 0, rows, begun), () -> insert(two, others, 1, rows, begun), () -> {
            assertTrue(begun.await(300, TimeUnit.SECONDS), "inserts do not come forward");
            arrival.of("c");
            return null;
        }));
        TableLayout layout = PoolAccess.layout(orders.handle());
        assertTrue(layout.areaCount() > 3, "the table has grown: areas=" + layout.areaCount());
        for (Tidepool pool : List.of(one, two)) {
            Table<Order> known = pool == one ? orders : others;
            Map<Long, Long> found = new HashMap<>();
            known.forEach(row -> assertNull(found.put(row.id(), row.amount()), "twice"));
            assertEquals(rows, found.size());
            found.forEach((id, amount) -> assertEquals(7 * id, amount));
            assertNull(pool.read(tx -> known.get(tx, rows)));
        }
    }

    private static Void insert(Tidepool pool, Table<Order> orders, int from, int rows, CountDownLatch begun) {
        for (long id = from; id < rows; id += 2) {
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

    private static void largeTransactions(Tidepool one, Tidepool two, int writes) {
        Table<Order> many = one.table("many", Order.class, writes);
        Table<Order> others = two.table("many", Order.class, writes);
        one.transact(tx -> {
            for (long id = 0; id < writes; id++) many.insert(tx, new Order(id, id));
        });
        two.transact(tx -> {
            for (long id = 0; id < writes; id++) others.put(tx, new Order(id, 3 * id));
        });
        Map<Long, Long> found = new HashMap<>();
        many.forEach(row -> found.put(row.id(), row.amount()));
        assertEquals(writes, found.size());
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

    /**
     * Rows move to another layout while both openings write: one by the record of before, one by that of after. A node
     * becomes a member when the first rows have moved, and the pool gets more memory; those that are left, if no writer
     * moves them, wait for that.
     */
    private static void rowsMove(Tidepool one, Tidepool two, int books, Arrival arrival) throws Exception {
        Table<Book> old = two.table("books", Book.class, 1);
        two.transact(tx -> {
            for (long id = 0; id < books; id++) old.insert(tx, new Book(id, 0, "no " + id % 100, 7));
        });
        CountDownLatch moving = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong sold = new AtomicLong();
        together(List.of(
                () -> {
                    try {
                        one.alter("books", EDITION, (_, _) -> {
                            moving.countDown();
                            await(arrived);
                        });
                    } finally {
                        over.set(true);
                        moving.countDown();
                    }
                    return null;
                },
                () -> {
                    try {
                        await(moving);
                        arrival.of("d");
                        one.grow(MORE_MEMORY);
                        Set<Long> ids = new HashSet<>();
                        old.pages(256).perPage().forEach(book -> assertTrue(ids.add(book.id()), "twice"));
                        assertEquals(books, ids.size());
                        TableLayout table =
                                PoolAccess.layout(two.table("books")); // it has learned of the change by now
                        assertNotNull(table.before(), "some rows have the former layout");
                    } finally {
                        arrived.countDown();
                    }
                    return null;
                },
                () -> {
                    for (long i = 0; i < 10 || !over.get(); i++) {
                        // Before that it leaves rows for the change: a fast writer would move all of them first.
                        long id = 7 * i % (arrived.getCount() == 0 ? books : books / 2);
                        two.transact(tx -> {
                            Cell<Book> cell = old.update(tx, id);
                            Book book = cell.get();
                            cell.set(new Book(id, book.sold() + 1, book.title(), book.shelf()));
                        });
                        sold.incrementAndGet();
                    }
                    return null;
                },
                () -> {
                    await(moving);
                    Table<NewBook> now = one.table("books", NewBook.class);
                    for (long i = 0; i < 10 || !over.get(); i++) {
                        long id = books - 1 - 11 * i % books;
                        one.transact(tx -> {
                            Cell<NewBook> cell = now.update(tx, id);
                            NewBook book = cell.get();
                            cell.set(new NewBook(id, book.sold() + 1, "nr " + id % 100, book.pages()));
                        });
                        sold.incrementAndGet();
                    }
                    return null;
                }));
        assertNull(PoolAccess.layout(two.table("books")).before(), "all rows have moved");
        Table<NewBook> now = two.table("books", NewBook.class);
        assertEquals(books, now.stream().map(NewBook::id).distinct().count());
        assertEquals(sold.get(), now.stream().mapToLong(NewBook::sold).sum());
        assertTrue(
                now.stream().allMatch(book -> book.pages() == -1 && book.title().startsWith("n")));
        assertEquals(7, two.read(tx -> old.get(tx, 1)).shelf(), "the table of before goes on");
        assertEquals(books, one.size("books").rows());
        assertEquals(MORE_MEMORY, PoolAccess.memory(one));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(400, TimeUnit.SECONDS), "the others do not come forward");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A change by one opening holds for the other one, whose handle tells what has happened. */
    private static void changes(Tidepool one, Tidepool two, int rows, int writes) {
        Table<Order> orders = two.table("orders", Order.class, 1);
        one.alter("orders", Schema.parse("orders(total:long)"));
        assertEquals(7L, two.read(tx -> orders.get(tx, 1)).amount(), "an open table goes on with its record");
        assertThrows(RuntimeException.class, () -> one.table("orders", Order.class, 1), "another schema");
        two.rename("orders", "sold");
        assertThrows(StoreException.class, () -> two.read(tx -> orders.get(tx, 1)));
        assertEquals(rows, one.size("sold").rows());

        Table<Order> many = one.table("many", Order.class, writes);
        Table<Order> others = two.table("many", Order.class, writes);
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
