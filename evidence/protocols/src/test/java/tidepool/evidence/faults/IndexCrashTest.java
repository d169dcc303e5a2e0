package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.Waiting;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Ordered;
import tidepool.store.RowAudit;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * A process dies at each verb, or each few, of transactions that split a leaf which is the root, add separators, change
 * an indexed column, empty a leaf and merge it. Another process scans both indexes all the time. It sees the rows after
 * one of the transactions, never fewer than before, and after the recovery rows and entries agree in all copies.
 */
class IndexCrashTest {
    /** A leaf of the index by the key has room for this many keys. */
    private static final int FULL = 118;

    /** A row with two indexes. */
    @Ordered
    @Index(
            name = "by_group",
            on = {"group"})
    public record Item(@Key long id, int group, long value) {}

    /** The transactions of the process that dies, on rows and on a model. */
    private static final List<Consumer<Rows>> STEPS = List.of(
            rows -> rows.put(new Item(595, 3, 1)),
            rows -> {
                rows.put(new Item(600, 40, 2));
                rows.put(new Item(2000, 3, 2));
            },
            rows -> {
                for (long id = 10; id <= 450; id += 10) rows.delete(id);
            },
            rows -> rows.put(new Item(605, 5, 3)),
            rows -> rows.put(new Item(606, 5, 3)));

    /** What a step changes. */
    private interface Rows {
        void put(Item item);

        void delete(long id);
    }

    private static List<List<Item>> states() {
        Map<Long, Item> rows = new TreeMap<>();
        for (int i = 1; i <= FULL; i++) rows.put(10L * i, new Item(10L * i, i % 7, 0));
        List<List<Item>> states = new ArrayList<>();
        states.add(List.copyOf(rows.values()));
        for (Consumer<Rows> step : STEPS) {
            step.accept(new Rows() {
                @Override
                public void put(Item item) {
                    rows.put(item.id(), item);
                }

                @Override
                public void delete(long id) {
                    rows.remove(id);
                }
            });
            states.add(List.copyOf(rows.values()));
        }
        return states;
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void rowsAndEntriesAgree(String protocol) {
        Set<Integer> reached = new HashSet<>();
        int step = Effort.of(211, 67, 1);
        for (long verb = protocol.length(); ; verb += step) {
            Crash crash = new Crash(protocol, 1 + verb);
            RowAudit audit = crash.run(verb);
            if (audit == null) break;
            assertTrue(audit.entries() > 0);
            reached.add(crash.reached);
        }
        assertTrue(reached.size() > 2, "states after crashes: " + reached);
    }

    private static final class Crash extends WatchedCrash<Table<Item>> {
        private final List<List<Item>> states = states();

        /** The last state that was seen. */
        int reached;

        Crash(String protocol, long seed) {
            super(protocol, 4 << 20, seed);
        }

        @Override
        Table<Item> table(Tidepool pool) {
            return pool.table("items", Item.class, 300);
        }

        @Override
        TableHandle handle(Table<Item> items) {
            return items.handle();
        }

        /** Scans both indexes in one transaction; the rows are those after a transaction that was not seen before. */
        @Override
        void look(Tidepool pool, Table<Item> items) {
            List<List<Item>> seen = pool.read(tx -> List.of(
                    items.scan(tx, KeyRange.all()).toList(),
                    items.index("by_group").scan(tx, KeyRange.all()).toList()));
            int state = states.subList(reached, states.size()).indexOf(seen.getFirst());
            assertTrue(state >= 0, () -> "seen after state " + reached + ": " + seen.getFirst());
            reached += state;
            List<Item> byGroup = new ArrayList<>(seen.getFirst());
            byGroup.sort(Comparator.comparingInt(Item::group).thenComparingLong(Item::id));
            assertEquals(byGroup, seen.get(1));
            Waiting.pause(5_000);
        }

        @Override
        void load(Tidepool pool, Table<Item> items) {
            for (int from = 0; from < FULL; from += 30) {
                List<Item> some = states.getFirst().subList(from, Math.min(from + 30, FULL));
                pool.transact(tx -> some.forEach(each -> items.insert(tx, each)));
            }
            pool.transact(tx -> items.put(tx, states.getFirst().getFirst())); // and what is owed to the indexes
        }

        @Override
        void change(Tidepool pool, Table<Item> items) {
            for (Consumer<Rows> step : STEPS) pool.transact(tx -> change(tx, items, step));
        }

        private static void change(Transaction tx, Table<Item> items, Consumer<Rows> step) {
            step.accept(new Rows() {
                @Override
                public void put(Item item) {
                    items.put(tx, item);
                }

                @Override
                public void delete(long id) {
                    items.delete(tx, id);
                }
            });
        }

        @Override
        void end(Tidepool pool, Table<Item> items) {
            pool.transact(
                    tx -> { // every leaf can be changed
                        for (Item each : items.scan(tx, KeyRange.all())) items.put(tx, new Item(each.id(), 9, 9));
                        items.put(tx, new Item(1, 9, 9));
                    });
        }
    }
}
