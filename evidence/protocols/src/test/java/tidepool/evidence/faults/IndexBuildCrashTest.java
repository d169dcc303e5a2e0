package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.DuplicateKeyException;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.schema.IndexSchema;
import tidepool.schema.Key;
import tidepool.schema.SchemaChange;
import tidepool.store.RowAudit;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * A process dies at each verb, or each few, while it builds two indexes of a table in use, drops one, or finds that a
 * unique one cannot be. Another process writes rows all the time, and scans each index while it is ready. Afterwards
 * the next change of the table goes on with what was left; rows and entries agree, in all copies.
 */
class IndexBuildCrashTest {
    private static final int ROWS = 70;

    /** A row without indexes. */
    public record Item(@Key long id, int price, int size) {}

    /** What the process does that dies. */
    private enum Change {
        ADD(new SchemaChange(), new SchemaChange().addIndex("price", "price").addOrder()),
        DROP(new SchemaChange().addIndex("price", "price").addOrder(), new SchemaChange().dropIndex("price")),
        /** All rows have one size, so no such index is made. */
        REFUSED(new SchemaChange().addOrder(), new SchemaChange().addUnique("size", "size"));

        private final SchemaChange before;
        private final SchemaChange change;

        Change(SchemaChange before, SchemaChange change) {
            this.before = before;
            this.change = change;
        }

        List<String> after() {
            return switch (this) {
                case ADD -> List.of("price", "primary");
                case DROP, REFUSED -> List.of("primary");
            };
        }
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    /** FORD-LV has the form in which several sessions write one table. */
    static List<String> protocols() {
        return SchemaVersionCrashTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void rowsAndEntriesAgree(String protocol) {
        int step = protocol.equals("ford") ? Effort.of(211, 97, 1) : Effort.of(499, 307, 1);
        int begun = 0;
        int points = 0;
        for (Change change : Change.values()) {
            for (long verb = protocol.length() % 16; ; verb += step) {
                Crash crash = new Crash(protocol, change, 1 + verb);
                RowAudit audit = crash.run(verb);
                if (audit == null) break;
                assertTrue(audit.entries() > 0);
                points++;
                if (crash.wasBetween) begun++;
            }
        }
        assertTrue(begun > 0 && begun < points, begun + " of " + points + " have left a part of the change");
    }

    private static final class Crash extends WatchedCrash<Table<Item>> {
        private final Change change;
        private final Map<Long, Item> rows = new TreeMap<>();
        private int looks;

        /** Whether the index was there after the crash, and not ready. */
        boolean wasBetween;

        Crash(String protocol, Change change, long seed) {
            super(protocol, 2 << 20, seed);
            this.change = change;
        }

        @Override
        Table<Item> table(Tidepool pool) {
            return pool.table("items", Item.class, 200);
        }

        @Override
        TableHandle handle(Table<Item> table) {
            return table.handle();
        }

        @Override
        void load(Tidepool pool, Table<Item> items) {
            for (long id = 0; id < ROWS; id++) rows.put(id, new Item(id, (int) (id % 7), 1));
            pool.transact(tx -> rows.values().forEach(each -> items.insert(tx, each)));
            pool.alter("items", change.before);
        }

        @Override
        void change(Tidepool pool, Table<Item> items) {
            if (change == Change.REFUSED)
                assertThrows(DuplicateKeyException.class, () -> pool.alter("items", change.change));
            else pool.alter("items", change.change);
        }

        /** Writes a row, and compares what can be scanned. */
        @Override
        void look(Tidepool pool, Table<Item> items) {
            long id = ++looks * 37L % (ROWS + 10);
            Item item = new Item(id, looks % 11, 1);
            boolean goes = looks % 4 == 0;
            pool.transact(tx -> {
                if (goes) items.delete(tx, id);
                else items.put(tx, item);
            });
            if (goes) rows.remove(id);
            else rows.put(id, item);
            for (IndexSchema each : indexes(pool))
                if (each.state() == IndexSchema.State.READY) compare(pool, each.name());
            Waiting.pause(10_000);
        }

        private static List<IndexSchema> indexes(Tidepool pool) {
            return pool.table("items").schema().indexes();
        }

        private void compare(Tidepool pool, String index) {
            Table<Item> items = table(pool);
            List<Item> seen;
            try {
                seen = pool.read(
                        tx -> items.index(index).scan(tx, KeyRange.all()).toList());
            } catch (StoreException | IllegalArgumentException e) {
                boolean isReady = indexes(pool).stream()
                        .anyMatch(each -> each.name().equals(index) && each.state() == IndexSchema.State.READY);
                if (isReady) throw e;
                return; // it was dropped meanwhile
            }
            List<Item> expected = new ArrayList<>(rows.values());
            if (index.equals("price"))
                expected.sort(Comparator.comparingInt(Item::price).thenComparingLong(Item::id));
            assertEquals(expected, seen, index);
        }

        @Override
        void end(Tidepool pool, Table<Item> items) {
            wasBetween = indexes(pool).stream().anyMatch(each -> each.state() != IndexSchema.State.READY);
            try {
                pool.alter("items", new SchemaChange());
            } catch (DuplicateKeyException e) {
                assertEquals(Change.REFUSED, change);
            }
            if (change != Change.REFUSED && !names(pool).equals(change.after())) pool.alter("items", change.change);
            assertEquals(change.after(), names(pool));
            for (String each : names(pool)) compare(pool, each);
            if (change != Change.ADD) pool.alter("items", new SchemaChange().addIndex("price", "price"));
            for (int i = 0; i < 5; i++) look(pool, items);
            compare(pool, "price");
        }

        private static List<String> names(Tidepool pool) {
            for (IndexSchema each : indexes(pool)) assertEquals(IndexSchema.State.READY, each.state());
            return indexes(pool).stream().map(IndexSchema::name).sorted().toList();
        }
    }
}
