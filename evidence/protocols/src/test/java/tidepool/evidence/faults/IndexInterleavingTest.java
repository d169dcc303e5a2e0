package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.ConflictException;
import tidepool.KeyRange;
import tidepool.Scan;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.testkit.Effort;

/**
 * A transaction that scans or changes a range is interrupted before one of its verbs, and transactions of another
 * session run completely: they insert into the range, delete from it, split and merge leaves, add separators, and make
 * the root grow. What all have seen and the rows afterwards are those of one order of the transactions that committed.
 */
class IndexInterleavingTest {
    private static final int MAX_VERBS = 1000; // of what is interrupted

    private static final int PAUSES = 12;

    /** A leaf has room for this many keys. */
    private static final int LEAF = 13;

    /** They fill six leaves; the root has room for eleven. */
    private static final int ROWS = 6 * LEAF;

    /** A row with a key as long as can be, so that nodes are small. */
    @Ordered
    @Index(
            name = "by_group",
            on = {"group"})
    public record Item(@Key @Length(60) String id, int group) {}

    /** The rows, in a pool or in a model. */
    private interface Rows {
        List<Item> scan(int from, int to, boolean isReversed, int limit);

        List<Item> ofGroup(int group);

        void put(int id, int group);

        void delete(int id);

        default List<Item> scan(int from, int to) {
            return scan(from, to, false, ROWS * 4);
        }
    }

    /** A transaction, and what it sees. */
    private interface Body {
        List<Item> run(Rows rows);
    }

    private static List<Item> all(List<Item> one, List<Item> other) {
        List<Item> both = new ArrayList<>(one);
        both.add(null);
        both.addAll(other);
        return both;
    }

    /** What is interrupted. */
    private enum Interrupted {
        SCAN(false, rows -> rows.scan(100, 250)),
        SCAN_BACKWARDS(false, rows -> rows.scan(100, 250, true, 100)),
        SCAN_AND_WRITE(false, rows -> {
            List<Item> seen = rows.scan(100, 200);
            rows.put(355, seen.size());
            return seen;
        }),
        INSERT(false, rows -> {
            rows.put(156, 3);
            return List.of();
        }),
        DELETE(false, rows -> {
            rows.delete(150);
            return List.of();
        }),
        FIRST_AND_LAST(false, rows -> {
            List<Item> seen = all(rows.scan(111, 400, false, 1), rows.scan(0, 199, true, 1));
            rows.put(400, seen.getFirst().group());
            return seen;
        }),
        EMPTY_RANGE(false, rows -> {
            List<Item> seen = rows.scan(151, 159);
            if (seen.isEmpty()) rows.put(301, 7);
            return seen;
        }),
        CHANGE_OF_COLUMN(false, rows -> {
            List<Item> seen = rows.ofGroup(1);
            rows.put(150, 1);
            return all(seen, rows.ofGroup(1));
        }),
        OWN_EFFECTS(false, rows -> {
            List<Item> seen = rows.scan(100, 200);
            rows.put(157, 5);
            rows.delete(160);
            return all(seen, rows.scan(100, 200, true, 100));
        }),
        /** Before it begins, separators and a merge are carried out that its process owes. */
        OWING(true, rows -> {
            rows.put(157, 5);
            return rows.scan(100, 250);
        });

        private final boolean owes;
        private final Body body;

        Interrupted(boolean owes, Body body) {
            this.owes = owes;
            this.body = body;
        }
    }

    /** The transactions that run next to it, one after the other. */
    private enum Other {
        INSERTS(rows -> {
            rows.put(155, 2);
            return List.of();
        }),
        DELETES(rows -> {
            rows.delete(150);
            return List.of();
        }),
        SPLITS(
                rows -> {
                    for (int id = 151; id < 159; id++) rows.put(id, 1);
                    return List.of();
                },
                rows -> {
                    rows.put(10, 0);
                    return List.of();
                }),
        MERGES(
                rows -> {
                    for (int id = 80; id < 360; id += 10) rows.delete(id);
                    return List.of();
                },
                rows -> {
                    rows.put(10, 1);
                    return List.of();
                },
                rows -> {
                    rows.put(155, 4);
                    return List.of();
                }),
        GROWS_THE_ROOT(
                rows -> {
                    for (int id = 100; id < 400; id += 10) for (int k = 1; k < 3; k++) rows.put(id + k, k);
                    return List.of();
                },
                rows -> {
                    for (int id = 410; id < 780; id += 10) for (int k = 1; k < 3; k++) rows.put(id + k, k);
                    return List.of();
                }),
        READS_WHAT_THAT_WRITES(rows -> {
            List<Item> seen = all(rows.scan(301, 400), rows.ofGroup(1));
            rows.put(155, seen.size());
            return seen;
        }),
        FILLS_THE_EMPTY_RANGE(rows -> {
            List<Item> seen = rows.scan(301, 309);
            if (seen.isEmpty()) rows.put(152, 6);
            return seen;
        });

        private final List<Body> bodies;

        Other(Body... bodies) {
            this.bodies = List.of(bodies);
        }
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void whatIsSeenIsThatOfOneOrder(String protocol) {
        int stride = Effort.of(43, 7, 1);
        int points = 0;
        int committed = 0;
        int begin = protocol.hashCode() & 0xff;
        Map<String, Integer> done = new TreeMap<>();
        for (Interrupted one : Interrupted.values()) {
            long verbs = verbs(protocol, one);
            for (Other other : Other.values()) {
                begin += 5;
                if ((one.ordinal() + other.ordinal()) % Effort.of(2, 1, 1) != 0) continue;
                for (long verb = begin % Math.min(verbs, stride); verb < verbs; verb += stride) {
                    try (Stage stage = new Stage(protocol, one)) {
                        stage.run(one.body, other.bodies, verb);
                        stage.check(protocol + " " + one + " " + other + " verb " + verb);
                        points++;
                        if (stage.hasCommitted) committed++;
                        stage.addCounts(done);
                    }
                }
            }
        }
        assertTrue(committed > 0 && committed < points, committed + " of " + points + " have committed");
        for (String each : List.of("splits", "separators", "merges", "lifts"))
            assertTrue(done.get(each) > 0, each + " in " + done);
    }

    /** Returns the number of verbs of a transaction that nothing interrupts. */
    private static long verbs(String protocol, Interrupted one) {
        try (Stage stage = new Stage(protocol, one)) {
            stage.run(one.body, List.of(), MAX_VERBS);
            stage.check(protocol + " " + one);
            return MAX_VERBS - stage.fabric.left();
        }
    }

    private static String key(int id) {
        return String.format("%04d", id);
    }

    /** The rows of a sorted map. */
    private record Model(NavigableMap<String, Item> map) implements Rows {
        @Override
        public List<Item> scan(int from, int to, boolean isReversed, int limit) {
            NavigableMap<String, Item> range = map.subMap(key(from), true, key(to), false);
            Collection<Item> items = (isReversed ? range.descendingMap() : range).values();
            return items.stream().limit(limit).toList();
        }

        @Override
        public List<Item> ofGroup(int group) {
            return map.values().stream().filter(each -> each.group() == group).toList();
        }

        @Override
        public void put(int id, int group) {
            map.put(key(id), new Item(key(id), group));
        }

        @Override
        public void delete(int id) {
            map.remove(key(id));
        }
    }

    /** The rows as a transaction sees them. */
    private record Stored(Transaction tx, Table<Item> items) implements Rows {
        @Override
        public List<Item> scan(int from, int to, boolean isReversed, int limit) {
            Scan<Item> scan =
                    items.scan(tx, KeyRange.from(key(from)).to(key(to))).limit(limit);
            return (isReversed ? scan.reversed() : scan).toList();
        }

        @Override
        public List<Item> ofGroup(int group) {
            return items.index("by_group").scan(tx, KeyRange.of(group)).toList();
        }

        @Override
        public void put(int id, int group) {
            items.put(tx, new Item(key(id), group));
        }

        @Override
        public void delete(int id) {
            items.delete(tx, key(id));
        }
    }

    /** A transaction that committed, and what it has seen. */
    private record Done(Body body, List<Item> seen) {}

    private static final class Stage implements AutoCloseable {
        private final Fabric memory = Fabric.open("mem:?nodes=1");
        private final CuttingFabric fabric = new CuttingFabric(memory);
        private final Tidepool pool;
        private final Tidepool other;
        private final Table<Item> items;
        private final Table<Item> otherItems;
        private final int session;
        private final NavigableMap<String, Item> before = new TreeMap<>();
        private final List<Done> others = new ArrayList<>();
        private Done interrupted;
        private Throwable failure;

        /** Whether what was interrupted has committed. */
        boolean hasCommitted;

        Stage(String protocol, Interrupted one) {
            Protocol made = Protocols.named(protocol);
            PoolOptions options = new PoolOptions(made.name(), 1, 1, 8 << 20, 8, 64 * 1024);
            pool = PoolAccess.open(fabric, options, made);
            session = fabric.control(0).sessions()[0];
            items = pool.table("items", Item.class, 1500);
            for (int i = 0; i < ROWS; i += LEAF) {
                int from = i;
                write(rows -> {
                    for (int k = from; k < from + LEAF; k++) rows.put(10 * (k + 1), k % 5);
                    return List.of();
                });
            }
            if (one.owes)
                write(rows -> {
                    for (int id = 410; id < 640; id += 10) rows.delete(id);
                    rows.put(185, 0);
                    return List.of();
                });
            else write(rows -> List.of());
            // Under FORD-LV, one session writes a table.
            other = protocol.equals("ford-lv") ? pool : PoolAccess.open(fabric, options, Protocols.named(protocol));
            otherItems = other.table("items", Item.class, 1500);
            other.read(tx -> otherItems.scan(tx, KeyRange.all()).toList());
            other.read(
                    tx -> otherItems.index("by_group").scan(tx, KeyRange.all()).toList());
        }

        private void write(Body body) {
            pool.transact(tx -> {
                items.get(tx, key(10));
                body.run(new Stored(tx, items));
            });
            body.run(new Model(before));
        }

        /** Runs a transaction, and others before one of its verbs. */
        void run(Body one, List<Body> next, long verb) {
            fabric.beforeVerb(session, verb, () -> {
                try {
                    for (Body each : next) others.add(attempt(other, otherItems, each));
                    for (int i = 0; i < PAUSES && next.size() > 1; i++)
                        attempt(other, otherItems, rows -> List.of()); // does what is owed to the indexes
                } catch (Throwable e) {
                    failure = e; // there it would look like a failure of the fabric
                }
            });
            interrupted = attempt(pool, items, one);
            boolean met = fabric.disarm();
            if (failure != null) throw new AssertionError("next to verb " + verb, failure);
            hasCommitted = interrupted != null;
            assertTrue(met || hasCommitted, "aborted by nothing");
            others.removeIf(each -> each == null);
        }

        /** Returns null if the transaction has met another one. */
        private static Done attempt(Tidepool in, Table<Item> table, Body body) {
            try (Transaction tx = in.begin()) {
                List<Item> seen = body.run(new Stored(tx, table));
                return tx.commit() ? new Done(body, seen) : null;
            } catch (ConflictException e) {
                return null;
            }
        }

        /** Checks that one order of the transactions explains all that was seen, and the rows of both indexes. */
        void check(String what) {
            for (Tidepool each : List.of(pool, other)) {
                Table<Item> its = each == pool ? items : otherItems;
                List<Item> rows = each.read(tx -> its.scan(tx, KeyRange.all()).toList());
                assertTrue(isExplained(rows), () -> what + ": after " + others + " and " + interrupted + ", " + rows);
                List<Item> byGroup = new ArrayList<>(rows);
                byGroup.sort(Comparator.comparingInt(Item::group).thenComparing(Item::id));
                assertEquals(
                        byGroup,
                        each.read(tx ->
                                its.index("by_group").scan(tx, KeyRange.all()).toList()),
                        what);
                List<Item> byKey = new ArrayList<>();
                its.forEach(byKey::add);
                byKey.sort(Comparator.comparing(Item::id));
                assertEquals(rows, byKey, what);
                for (int i = 0; i < rows.size(); i += 9) {
                    Item row = rows.get(i);
                    assertEquals(
                            List.of(row),
                            each.read(tx -> its.scan(tx, KeyRange.of(row.id())).toList()),
                            what);
                }
            }
        }

        private boolean isExplained(List<Item> rows) {
            if (interrupted == null) return isOrder(others, rows);
            for (int at = 0; at <= others.size(); at++) {
                List<Done> order = new ArrayList<>(others);
                order.add(at, interrupted);
                if (isOrder(order, rows)) return true;
            }
            return false;
        }

        private boolean isOrder(List<Done> order, List<Item> rows) {
            Model model = new Model(new TreeMap<>(before));
            for (Done each : order) if (!each.body.run(model).equals(each.seen)) return false;
            return rows.equals(List.copyOf(model.map.values()));
        }

        private static final Pattern COUNT = Pattern.compile("(\\w+)=(\\d+)");

        void addCounts(Map<String, Integer> to) {
            Matcher counts = COUNT.matcher(other.statistics().indexes());
            while (counts.find()) to.merge(counts.group(1), Integer.parseInt(counts.group(2)), Integer::sum);
        }

        @Override
        public void close() {
            if (other != pool) other.close();
            pool.close();
            memory.close();
        }
    }
}
