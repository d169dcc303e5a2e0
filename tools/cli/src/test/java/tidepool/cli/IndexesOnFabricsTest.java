package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.DuplicateKeyException;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.schema.SchemaChange;
import tidepool.schema.Unique;
import tidepool.testkit.Effort;

/**
 * Tables with indexes over TCP: two openings of a pool write one table next to each other, and one of them drops an
 * index and builds it again. Rows and entries agree, in both openings.
 */
@Timeout(600)
@Tag("full")
@Tag("process")
class IndexesOnFabricsTest {
    private static final int ROWS = Effort.of(30, 60, 5_000);
    private static final long NODE_BYTES = 256 << 20;

    @Ordered
    record Item(
            @Key long id,
            @Index int price,
            @Unique @Length(12) String code) {}

    private static Item item(long id, int price) {
        return new Item(id, price, "code" + id);
    }

    /** Compares scans of all indexes with the rows. Returns the rows by their keys. */
    private static Map<Long, Item> compare(Tidepool pool) {
        Table<Item> items = pool.table("items", Item.class);
        Map<Long, Item> rows = new TreeMap<>();
        items.forEach(each -> rows.put(each.id(), each));
        List<Item> expected = new ArrayList<>(rows.values());
        assertEquals(expected, pool.read(tx -> items.scan(tx, KeyRange.all()).toList()));
        expected.sort(Comparator.comparingInt(Item::price).thenComparingLong(Item::id));
        assertEquals(
                expected,
                pool.read(tx -> items.index("price").scan(tx, KeyRange.all()).toList()));
        assertEquals(
                expected.reversed(),
                pool.read(tx ->
                        items.index("price").scan(tx, KeyRange.all()).reversed().toList()));
        for (Item each : expected.subList(0, 10))
            assertEquals(each, pool.read(tx -> items.index("code").get(tx, each.code())));
        return rows;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "motor", "hdtx"})
    void onTwoMemoryNodes(String protocol) throws Exception {
        try (MemoryServer first = MemoryServer.start(NodeOptions.onLoopback("one", 0, NODE_BYTES));
                MemoryServer second = MemoryServer.start(NodeOptions.onLoopback("two", 0, NODE_BYTES))) {
            String url = "tcp://" + address(first) + "," + address(second)
                    + "/pool?replicas=2&memory=32m&timeout=60s&protocol=" + protocol;
            try (Tidepool one = Tidepool.open(url);
                    Tidepool two = Tidepool.open(url)) {
                one.table("items", Item.class);
                AtomicReference<Throwable> failed = new AtomicReference<>();
                Thread other = Thread.ofPlatform().start(() -> {
                    try {
                        write(two, 1);
                    } catch (Throwable e) {
                        failed.set(e);
                    }
                });
                write(one, 0);
                other.join();
                if (failed.get() != null) throw new AssertionError(failed.get());
                int rows = compare(one).size();
                assertEquals(2 * (ROWS - ROWS / 5), rows);
                assertEquals(rows, compare(two).size());
                Table<Item> items = two.table("items", Item.class);
                assertThrows(
                        DuplicateKeyException.class,
                        () -> two.transact(tx -> items.insert(tx, new Item(-1, 1, "code2"))));
                one.alter("items", new SchemaChange().dropIndex("price"));
                one.alter("items", new SchemaChange().addIndex("price", "price"));
                // An iteration that began with the indexes of before would be refused.
                assertEquals(item(2, 2), two.read(tx -> items.index("code").get(tx, "code2")));
                assertEquals(rows, compare(two).size());
            }
        }
    }

    /** Inserts rows with even or odd keys, changes each, and deletes every fifth. */
    private static void write(Tidepool pool, int odd) {
        Table<Item> items = pool.table("items", Item.class);
        for (int i = 0; i < ROWS; i++) {
            long id = 2L * i + odd;
            pool.transact(tx -> items.insert(tx, item(id, (int) (id % 13))));
            pool.transact(tx -> items.put(tx, item(id, (int) (id % 7))));
            if (i % 5 == 4) pool.transact(tx -> items.delete(tx, id));
        }
    }

    private static String address(MemoryServer server) {
        return "127.0.0.1:" + server.address().getPort();
    }
}
