package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.schema.AttributeType;
import tidepool.schema.Index;
import tidepool.schema.IndexSchema;
import tidepool.schema.Key;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.store.IndexNodeLayout;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/** Indexes come and go with the schema of a table. Its rows stay where they are. */
class IndexChangesTest {
    public record Item(@Key long id, int price, int weight) {}

    public record Priced(@Key long id, @Index int price, int weight) {}

    public record Renamed(@Key long id, int cost, int weight) {}

    @Test
    void buildTellsHowFarItIs() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2")) {
            Table<Item> items = pool.table("items", Item.class, 2_000);
            for (int from = 0; from < 1_000; from += 100) {
                int first = from;
                pool.transact(tx -> {
                    for (int id = first; id < first + 100; id++) items.put(tx, new Item(id, id, id));
                });
            }
            List<Long> rows = new ArrayList<>();
            List<Double> parts = new ArrayList<>();
            pool.alter("items", new SchemaChange().addIndex("price", "price"), new AlterListener() {
                @Override
                public void moved(long moved, double part) {
                    throw new AssertionError("no row moves");
                }

                @Override
                public void entered(String index, long entered, double part) {
                    assertEquals("price", index);
                    rows.add(entered);
                    parts.add(part);
                }
            });
            assertTrue(rows.size() > 2, "" + rows);
            assertEquals(rows.stream().sorted().toList(), rows);
            assertEquals(parts.stream().sorted().toList(), parts);
            assertEquals(1_000, rows.getLast());
        }
    }

    @Test
    void indexIsAddedWithinAFence() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2")) {
            Table<Item> items = pool.table("items", Item.class, 100);
            pool.transact(tx -> items.put(tx, new Item(1, 2, 3)));
            TableLayout before = PoolAccess.layout(items.handle());
            assertNull(pool.knownTables().indexNodes(before));
            String refusal = assertThrows(IllegalArgumentException.class, () -> pool.table("items", Priced.class))
                    .getMessage();
            assertTrue(refusal.contains("addIndex(\"price\", \"price\")"), refusal);

            pool.alter("items", new SchemaChange().addIndex("price", "price"));
            TableLayout after = PoolAccess.layout(pool.table("items"));
            assertEquals(
                    "items(price:int, weight:int) index price#1(price)",
                    after.schema().toString());
            assertEquals(before.base(), after.base());
            assertNull(after.before());
            TableLayout nodes = pool.knownTables().indexNodes(after);
            assertEquals("items.index", nodes.name());
            assertEquals(IndexNodeLayout.BYTES, nodes.valueBytes());
            assertSame(nodes, pool.knownTables().indexNodes(after));
            assertEquals(
                    List.of("items"),
                    pool.tables().stream().map(TableHandle::name).toList());
            assertEquals(new Item(1, 2, 3), pool.read(tx -> items.get(tx, 1)));
            assertEquals(new Priced(1, 2, 3), pool.read(tx -> pool.table("items", Priced.class)
                    .get(tx, 1)));

            // Other names of attributes leave the indexes as they are.
            pool.alter("items", Schema.of("items", Renamed.class));
            assertEquals(
                    "items(cost:int, weight:int) index price#1(cost)",
                    pool.table("items").schema().toString());
            pool.rename("items", "goods");
            TableLayout goods = PoolAccess.layout(pool.table("goods"));
            assertEquals("goods.index", pool.knownTables().indexNodes(goods).name());
            pool.drop("goods");
            assertThrows(StoreException.class, () -> pool.table("goods"));
            assertEquals(List.of(), pool.knownTables().all());
        }
    }

    /** Both versions of a table whose rows move have the nodes of its indexes. */
    @Test
    void versionsOfATableShareTheNodes() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2")) {
            Table<Priced> items = pool.table("items", Priced.class, 100);
            for (long id = 0; id < 20; id++) {
                Priced item = new Priced(id, 5, 6);
                pool.transact(tx -> items.put(tx, item));
            }
            TableLayout before = PoolAccess.layout(items.handle());
            TableLayout nodes = pool.knownTables().indexNodes(before);
            SchemaChange change = new SchemaChange().widen("weight", AttributeType.LONG);
            new TableMigration(pool, "items").begin(change);
            TableLayout after = pool.knownTables().find("items");
            assertEquals("items.before", after.before().name());
            assertEquals(nodes.id(), pool.knownTables().indexNodes(after).id());
            assertEquals(
                    nodes.id(), pool.knownTables().indexNodes(after.before()).id());
            pool.alter("items", new SchemaChange());
            assertEquals(
                    "items(price:int, weight:long) index price#1(price)",
                    pool.table("items").schema().toString());
            assertEquals(
                    List.of("items", "items.index"),
                    pool.knownTables().all().stream()
                            .map(TableLayout::name)
                            .sorted()
                            .toList());
        }
    }

    /** Rows that were there before the index, and rows that are written while it is built, have entries. */
    @ParameterizedTest
    @MethodSource("protocols")
    void indexIsBuiltWhileTheTableIsUsed(String protocol) throws Exception {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&coordinators=16&protocol=" + protocol)) {
            Table<Item> items = pool.table("items", Item.class, 100);
            for (long from = 0; from < 1000; from += 100) {
                long first = from;
                pool.transact(tx -> {
                    for (long id = first; id < first + 100; id++) items.put(tx, new Item(id, (int) (id % 7), 0));
                });
            }
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    for (long i = 0; !isOver.get() || i < 200; i++) {
                        long id = i * 37 % 1200;
                        int price = (int) (i % 11);
                        pool.transact(tx -> {
                            if (price == 0) items.delete(tx, id);
                            else items.put(tx, new Item(id, price, 1));
                        });
                    }
                } catch (Throwable e) {
                    failed.set(e);
                }
            });
            pool.alter("items", new SchemaChange().addIndex("price", "price").addOrder());
            isOver.set(true);
            writer.join();
            if (failed.get() != null) throw new AssertionError(failed.get());
            requireEqual(pool);
            pool.alter("items", new SchemaChange().dropIndex("price"));
            assertEquals(
                    List.of("primary"),
                    pool.table("items").schema().indexes().stream()
                            .map(IndexSchema::name)
                            .toList());
            pool.alter("items", new SchemaChange().addIndex("price", "price"));
            requireEqual(pool);
        }
    }

    private static void requireEqual(Tidepool pool) {
        Table<Item> items = pool.table("items", Item.class);
        List<Item> rows =
                items.stream().sorted(Comparator.comparingLong(Item::id)).toList();
        assertTrue(rows.size() > 800, "rows: " + rows.size());
        assertEquals(rows, pool.read(tx -> items.scan(tx, KeyRange.all()).toList()));
        List<Item> byPrice = new ArrayList<>(rows);
        byPrice.sort(Comparator.comparingInt(Item::price).thenComparingLong(Item::id));
        assertEquals(
                byPrice,
                pool.read(tx -> items.index("price").scan(tx, KeyRange.all()).toList()));
    }

    /** Rows of which some have moved to another layout, and some have not, are scanned and written by their indexes. */
    @ParameterizedTest
    @MethodSource("protocols")
    void indexesHoldWhileRowsMove(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&protocol=" + protocol)) {
            Table<Priced> items = pool.table("items", Priced.class, 100);
            Map<Long, Priced> model = new TreeMap<>();
            for (long id = 0; id < 300; id++) put(pool, items, model, new Priced(id, (int) (id % 13), 1));
            SchemaChange change = new SchemaChange().widen("weight", AttributeType.LONG);
            new TableMigration(pool, "items").begin(change);
            Table<Heavy> heavy = pool.table("items", Heavy.class);
            compare(pool, heavy, model);
            for (long id = 0; id < 400; id += 7) { // rows that move by being written, and new ones
                Priced next = new Priced(id, (int) (id % 5), 2);
                pool.transact(tx -> heavy.put(tx, new Heavy(next.id(), next.price(), next.weight())));
                model.put(id, next);
            }
            for (long id = 3; id < 300; id += 11) {
                long gone = id;
                pool.transact(tx -> heavy.delete(tx, gone));
                model.remove(id);
            }
            compare(pool, heavy, model);
            pool.alter("items", new SchemaChange());
            compare(pool, heavy, model);
        }
    }

    public record Heavy(@Key long id, @Index int price, long weight) {}

    private static void put(Tidepool pool, Table<Priced> items, Map<Long, Priced> model, Priced item) {
        pool.transact(tx -> items.put(tx, item));
        model.put(item.id(), item);
    }

    private static void compare(Tidepool pool, Table<Heavy> heavy, Map<Long, Priced> model) {
        List<String> expected = model.values().stream()
                .sorted(Comparator.comparingInt(Priced::price).thenComparingLong(Priced::id))
                .map(each -> each.id() + " " + each.price() + " " + each.weight())
                .toList();
        List<String> found = pool
                .read(tx -> heavy.index("price").scan(tx, KeyRange.all()).toList())
                .stream()
                .map(each -> each.id() + " " + each.price() + " " + each.weight())
                .toList();
        assertEquals(expected, found);
    }

    /** Two rows with the same values end the building, and leave no index and no nodes. */
    @Test
    void uniqueIndexOfEqualValuesIsNotMade() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2")) {
            Table<Item> items = pool.table("items", Item.class, 100);
            for (long id = 0; id < 50; id++) {
                Item item = new Item(id, (int) Math.min(id, 48), 0);
                pool.transact(tx -> items.put(tx, item));
            }
            SchemaChange change = new SchemaChange().addUnique("price", "price");
            String refusal = assertThrows(DuplicateKeyException.class, () -> pool.alter("items", change))
                    .getMessage();
            assertTrue(refusal.contains("was not made, because two rows have the same values"), refusal);
            assertEquals(List.of(), pool.table("items").schema().indexes());
            pool.transact(tx -> items.delete(tx, 49));
            pool.alter("items", change);
            assertThrows(DuplicateKeyException.class, () -> pool.transact(tx -> items.put(tx, new Item(99, 5, 5))));
        }
    }

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }
}
