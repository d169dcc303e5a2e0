package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.ConflictException;
import tidepool.DuplicateKeyException;
import tidepool.KeyRange;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.evidence.faults.IndexStage.Body;
import tidepool.evidence.faults.IndexStage.Item;
import tidepool.evidence.faults.IndexStage.Start;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Unique;
import tidepool.spi.PoolAccess;
import tidepool.store.IndexNodeLayout;
import tidepool.store.PoolOptions;
import tidepool.testkit.Effort;

/**
 * A transaction that scans or changes a range is interrupted before one of its verbs, and transactions of another
 * session run completely: they insert into the range, delete from it, split and merge leaves, add separators, and make
 * the root grow. What all have seen and the rows afterwards are those of one order of the transactions that committed.
 * {@link Scene} names the situations that have to be among them.
 */
class IndexInterleavingTest {
    static final int MAX_VERBS = 1000; // of what is interrupted

    private static List<Item> all(List<Item> one, List<Item> other) {
        List<Item> both = new ArrayList<>(one);
        both.add(null);
        both.addAll(other);
        return both;
    }

    /** What is interrupted. */
    enum Interrupted {
        SCAN(rows -> rows.scan(100, 250)),
        SCAN_BACKWARDS(rows -> rows.scan(100, 250, true, 100)),
        SCAN_AND_WRITE(rows -> {
            List<Item> seen = rows.scan(100, 200);
            rows.put(355, seen.size());
            return seen;
        }),
        INSERT(IndexStage.writing(rows -> rows.put(156, 3))),
        DELETE(IndexStage.writing(rows -> rows.delete(150))),
        FIRST_AND_LAST(rows -> {
            List<Item> seen = all(rows.scan(111, 400, false, 1), rows.scan(0, 199, true, 1));
            rows.put(400, seen.getFirst().group());
            return seen;
        }),
        EMPTY_RANGE(rows -> {
            List<Item> seen = rows.scan(151, 159);
            if (seen.isEmpty()) rows.put(301, 7);
            return seen;
        }),
        CHANGE_OF_COLUMN(rows -> {
            List<Item> seen = rows.ofGroup(1);
            rows.put(150, 1);
            return all(seen, rows.ofGroup(1));
        }),
        OWN_EFFECTS(rows -> {
            List<Item> seen = rows.scan(100, 200);
            rows.put(157, 5);
            rows.delete(160);
            return all(seen, rows.scan(100, 200, true, 100));
        }),
        OWING(Start.OWING, false, rows -> {
            rows.put(157, 5);
            return rows.scan(100, 250);
        }),

        // ---- for scenes only
        SEPARATOR_OF_THE_DEAD(Start.SPLITTER_DEAD, false, rows -> {
            List<Item> seen = rows.scan(150, 165);
            rows.put(156, 3);
            return all(seen, rows.scan(100, 250));
        }),
        INSERT_INTO_FULL_ROOT(Start.FULL_ROOT, false, IndexStage.writing(rows -> rows.put(65, 1))),
        SCAN_OF_ROOT(Start.FULL_ROOT, false, rows -> all(rows.scan(0, 61), rows.scan(61, 200))),
        EMPTY_LEAF(Start.EMPTY_LEAF, false, rows -> {
            List<Item> seen = rows.scan(151, 259);
            if (seen.isEmpty()) rows.put(301, 7);
            return seen;
        }),
        NO_ROOT(Start.NOTHING, false, rows -> {
            List<Item> seen = rows.scan(0, 500);
            rows.put(900, seen.size());
            return seen;
        }),
        SPLITS_ITS_OWN(Start.LEAVES, false, rows -> {
            rows.put(15, 0);
            for (int id = 151; id < 159; id++) rows.put(id, 1);
            return rows.scan(0, 300);
        }),
        SNAPSHOT(Start.LEAVES, true, rows -> all(rows.scan(140, 200), rows.scan(100, 250)));

        final Start start;
        final boolean isReading;
        final Body body;

        Interrupted(Body body) {
            this(Start.LEAVES, false, body);
        }

        Interrupted(Start start, boolean isReading, Body body) {
            this.start = start;
            this.isReading = isReading;
            this.body = body;
        }

        boolean isOfScenes() {
            return compareTo(SEPARATOR_OF_THE_DEAD) >= 0;
        }
    }

    private static final Body OTHER_GROUP = IndexStage.writing(rows -> rows.put(10, 1));

    /** The transactions that run next to it, one after the other. */
    enum Other {
        INSERTS(IndexStage.writing(rows -> rows.put(155, 2))),
        DELETES(IndexStage.writing(rows -> rows.delete(150))),
        SPLITS(
                IndexStage.writing(rows -> {
                    for (int id = 151; id < 159; id++) rows.put(id, 1);
                }),
                OTHER_GROUP),
        MERGES(
                IndexStage.writing(rows -> {
                    for (int id = 80; id < 360; id += 10) rows.delete(id);
                }),
                OTHER_GROUP,
                IndexStage.writing(rows -> rows.put(155, 4))),
        GROWS_THE_ROOT(
                IndexStage.writing(rows -> {
                    for (int id = 100; id < 400; id += 10) for (int k = 1; k < 3; k++) rows.put(id + k, k);
                }),
                IndexStage.writing(rows -> {
                    for (int id = 410; id < 780; id += 10) for (int k = 1; k < 3; k++) rows.put(id + k, k);
                })),
        READS_WHAT_THAT_WRITES(rows -> {
            List<Item> seen = all(rows.scan(301, 400), rows.ofGroup(1));
            rows.put(155, seen.size());
            return seen;
        }),
        FILLS_THE_EMPTY_RANGE(rows -> {
            List<Item> seen = rows.scan(301, 309);
            if (seen.isEmpty()) rows.put(152, 6);
            return seen;
        }),

        // ---- for scenes only
        MERGES_AND_MAKES_NODES(
                IndexStage.writing(rows -> {
                    for (int id = 80; id < 360; id += 10) rows.delete(id);
                }),
                OTHER_GROUP,
                IndexStage.writing(rows -> {
                    for (int id = 700; id < 780; id += 10) for (int k = 1; k < 9; k++) rows.put(id + k, k);
                }),
                IndexStage.writing(rows -> {
                    for (int id = 140; id < 200; id += 10) for (int k = 1; k < 5; k++) rows.put(id + k, 7);
                })),
        ADDS_THE_SEPARATOR(IndexStage.writing(rows -> rows.put(20, 3)), OTHER_GROUP),
        INSERTS_INTO_THE_ROOT(IndexStage.writing(rows -> rows.put(66, 2)), IndexStage.writing(rows -> rows.put(5, 2))),
        SPLITS_THE_LEFT(
                IndexStage.writing(rows -> {
                    for (int id = 101; id < 109; id++) rows.put(id, 1);
                }),
                OTHER_GROUP),
        EMPTIES_THE_LEAF(IndexStage.writing(rows -> {
            for (int id = 140; id <= 260; id += 10) rows.delete(id);
        })),
        BEGINS_THE_INDEX(rows -> {
            List<Item> seen = rows.scan(600, IndexStage.END - 1);
            rows.put(400, seen.size());
            return seen;
        }),
        DELETES_AND_PURGES(
                IndexStage.writing(rows -> rows.delete(150)),
                IndexStage.writing(rows -> rows.put(151, 1)),
                IndexStage.writing(rows -> rows.delete(151)),
                IndexStage.writing(rows -> rows.put(152, 1)),
                IndexStage.writing(rows -> rows.delete(152)),
                IndexStage.writing(rows -> rows.put(153, 1)),
                IndexStage.writing(rows -> rows.delete(153)));

        final List<Body> bodies;

        Other(Body... bodies) {
            this.bodies = List.of(bodies);
        }

        boolean isOfScenes() {
            return compareTo(MERGES_AND_MAKES_NODES) >= 0;
        }
    }

    /** The situations of the design of indexes, by their numbers there. */
    enum Scene {
        SPLIT_UNDER_A_SCAN(18, Interrupted.SCAN, Other.SPLITS),
        SPLIT_BETWEEN_LEAVES(18, Interrupted.SCAN, Other.SPLITS_THE_LEFT),
        SEPARATOR_IS_MISSING(19, Interrupted.SEPARATOR_OF_THE_DEAD, Other.INSERTS),
        TWO_ADD_THE_SEPARATOR(19, Interrupted.SEPARATOR_OF_THE_DEAD, Other.ADDS_THE_SEPARATOR),
        MERGE_UNDER_A_SCAN(20, Interrupted.SCAN, Other.MERGES),
        MEMORY_IS_USED_AGAIN(20, Interrupted.SCAN, Other.MERGES_AND_MAKES_NODES),
        MEMORY_IS_USED_AGAIN_UNDER_AN_INSERT(20, Interrupted.INSERT, Other.MERGES_AND_MAKES_NODES),
        KEY_IS_NOT_COVERED(21, Interrupted.INSERT, Other.SPLITS),
        TWO_LIFT_THE_ROOT(22, Interrupted.INSERT_INTO_FULL_ROOT, Other.INSERTS_INTO_THE_ROOT),
        ROOT_WAS_A_LEAF(22, Interrupted.SCAN_OF_ROOT, Other.INSERTS_INTO_THE_ROOT),
        SEPARATOR_THEN_MERGE(22, Interrupted.OWING, Other.MERGES),
        MERGE_THEN_SEPARATOR(22, Interrupted.OWING, Other.SPLITS),
        PARENT_SPLITS(22, Interrupted.OWING, Other.GROWS_THE_ROOT),
        WRITE_SKEW(23, Interrupted.SCAN_AND_WRITE, Other.READS_WHAT_THAT_WRITES),
        WRITE_SKEW_OF_EMPTY_RANGES(23, Interrupted.EMPTY_RANGE, Other.FILLS_THE_EMPTY_RANGE),
        WRITE_SKEW_OF_AN_EMPTY_LEAF(23, Interrupted.EMPTY_LEAF, Other.FILLS_THE_EMPTY_RANGE),
        WRITE_SKEW_OF_NO_ROOT(23, Interrupted.NO_ROOT, Other.BEGINS_THE_INDEX),
        OWN_EFFECTS(24, Interrupted.OWN_EFFECTS, Other.INSERTS),
        SNAPSHOT_AND_PURGE(27, Interrupted.SNAPSHOT, Other.DELETES_AND_PURGES),
        HELD_LEAF_AND_SNAPSHOT(27, Interrupted.INSERT, Other.INSERTS),
        SPLIT_NEXT_TO_OWN_LOCKS(28, Interrupted.SPLITS_ITS_OWN, Other.SPLITS),
        LEFT_NEIGHBOUR_SPLITS(29, Interrupted.SCAN_BACKWARDS, Other.SPLITS_THE_LEFT),
        LAST_OF_AN_EMPTIED_LEAF(29, Interrupted.FIRST_AND_LAST, Other.EMPTIES_THE_LEAF);

        private final int number;
        private final Interrupted one;
        private final Other other;

        Scene(int number, Interrupted one, Other other) {
            this.number = number;
            this.one = one;
            this.other = other;
        }

        static boolean has(Interrupted one, Other other) {
            return Arrays.stream(values()).anyMatch(each -> each.one == one && each.other == other);
        }
    }

    /** Situations that are no pair, and the tests that play them. */
    private static final Map<Integer, String> OTHER_SCENES = Map.of(
            25, "equalValuesOnBothSidesOfABoundary",
            26, "IndexCrashTest.rowsAndEntriesAgree",
            30, "leavesAreTornAtEveryWord");

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    @Test
    void allSituationsAreThere() {
        TreeSet<Integer> numbers = new TreeSet<>(OTHER_SCENES.keySet());
        for (Scene each : Scene.values()) numbers.add(each.number);
        assertEquals(IntStream.rangeClosed(18, 30).boxed().toList(), List.copyOf(numbers));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void whatIsSeenIsThatOfOneOrder(String protocol) {
        int stride = Effort.of(43, 19, 1);
        int points = 0;
        int committed = 0;
        int aborted = 0;
        int begin = protocol.hashCode() & 0xff;
        Map<String, Integer> done = new TreeMap<>();
        for (Interrupted one : Interrupted.values()) {
            long verbs = verbs(protocol, one);
            for (Other other : Other.values()) {
                boolean isScene = Scene.has(one, other);
                if (!isScene && (one.isOfScenes() || other.isOfScenes())) continue;
                begin += 5;
                if (!isScene && (one.ordinal() + other.ordinal()) % Effort.of(2, 1, 1) != 0) continue;
                for (long verb = begin % Math.min(verbs, stride); verb < verbs; verb += stride) {
                    try (IndexStage stage = IndexStage.of(protocol, one.start)) {
                        stage.run(one.isReading, one.body, other.bodies, verb);
                        stage.check(protocol + " " + one + " " + other + " verb " + verb);
                        points++;
                        if (stage.hasCommitted()) committed++;
                        aborted += stage.aborted;
                        stage.addCounts(done);
                    }
                }
            }
        }
        assertTrue(committed > 0 && committed < points, committed + " of " + points + " have committed");
        assertTrue(aborted > 0, "no transaction has met another one");
        for (String each : List.of("splits", "inner", "separators", "merges", "lifts", "steps"))
            assertTrue(done.get(each) > 0, each + " in " + done);
        boolean isAlone = protocol.equals("ford-lv"); // what one process does itself leads none of its searches astray
        assertTrue(isAlone || done.get("searches") > 0, "searches in " + done);
    }

    /** Returns the number of verbs of a transaction that nothing interrupts. */
    static long verbs(String protocol, Interrupted one) {
        try (IndexStage stage = IndexStage.of(protocol, one.start)) {
            stage.run(one.isReading, one.body, List.of(), MAX_VERBS);
            stage.check(protocol + " " + one);
            return MAX_VERBS - stage.fabric.left();
        }
    }

    // ---- 30

    /**
     * A part of a leaf has landed: no other transaction takes it for the leaf. If its writer goes on, the rest lands;
     * if it has died, the next transaction that meets the leaf undoes the change, or finishes it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void leavesAreTornAtEveryWord(String protocol) {
        int stride = Long.BYTES * Effort.of(97, 41, 1);
        Body splits = IndexStage.writing(rows -> {
            for (int id = 151; id < 156; id++) rows.put(id, 1);
        });
        int torn = 0;
        for (boolean dies : new boolean[] {false, true}) {
            for (int write = 0; ; write++) {
                int bytes = Long.BYTES * (1 + 5 * write % Math.max(1, stride / Long.BYTES));
                boolean isOver = false;
                for (; bytes < IndexNodeLayout.BYTES; bytes += stride) {
                    try (IndexStage stage = IndexStage.of(protocol, Start.LEAVES)) {
                        isOver = !stage.tear(splits, Other.READS_WHAT_THAT_WRITES.bodies, write, bytes, dies);
                        if (isOver) break;
                        String what = protocol + " write " + write + " after " + bytes + " bytes, dies=" + dies;
                        if (dies) stage.checkOther(what);
                        else stage.check(what);
                        torn++;
                    }
                }
                if (isOver) break;
            }
        }
        int few = protocol.equals("hdtx") ? 3 : 10; // the memory nodes copy most leaves of HDTX, a whole one at once
        assertTrue(torn > few, "torn writes: " + torn);
    }

    // ---- 25

    /** A row whose key has room for two in a leaf of the unique index. */
    public record Coded(@Key long id, @Unique @Length(100) String code) {}

    /** One value whose rows would be in two leaves: an insert into one leaf looks at the other, too. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void equalValuesOnBothSidesOfABoundary(String protocol) {
        int[] committed = new int[2];
        for (long[] ids : new long[][] {{100, 900}, {900, 100}})
            for (long verb = 0; insertsOfOneValue(Protocols.named(protocol), ids, verb, committed); verb++) {}
        assertTrue(committed[0] > 0 && committed[1] > 0, committed[0] + " and " + committed[1]);
    }

    /** Returns false if the interrupted insert has fewer verbs. */
    private static boolean insertsOfOneValue(Protocol protocol, long[] ids, long verb, int[] committed) {
        PoolOptions options = new PoolOptions(protocol.name(), 1, 1, 1 << 20, 8, 64 * 1024);
        try (Fabric memory = Fabric.open("mem:?nodes=1")) {
            CuttingFabric fabric = new CuttingFabric(memory);
            try (Tidepool pool = PoolAccess.open(fabric, options, protocol)) {
                int session = fabric.control(0).sessions()[0];
                Table<Coded> coded = pool.table("coded", Coded.class, 100);
                prepareBoundary(pool, coded);
                try (Tidepool other = PoolAccess.open(fabric, options, protocol)) {
                    Table<Coded> others = other.table("coded", Coded.class, 100);
                    boolean[] done = new boolean[2];
                    fabric.beforeVerb(session, verb, () -> done[1] = isInserted(other, others, new Coded(ids[1], "m")));
                    done[0] = isInserted(pool, coded, new Coded(ids[0], "m"));
                    boolean met = fabric.disarm();
                    List<Coded> found = other.read(tx ->
                            others.index("code").scan(tx, KeyRange.of("m")).toList());
                    int inserts = (done[0] ? 1 : 0) + (done[1] ? 1 : 0);
                    String what = "verb " + verb + " of " + ids[0] + ": inserted " + Arrays.toString(done);
                    assertEquals(inserts, found.size(), what);
                    assertTrue(inserts <= 1, what + " " + found);
                    assertTrue(met || inserts == 1, what);
                    for (int i = 0; i < 2; i++) if (done[i]) committed[i]++;
                    return met;
                }
            }
        }
    }

    /** Makes two leaves whose boundary is an entry of "m", and deletes the row of that entry. */
    static void prepareBoundary(Tidepool pool, Table<Coded> coded) {
        String[] codes = {"b", "d", "f", "m", "p", "r", "c"};
        pool.transact(tx -> {
            for (int i = 0; i < codes.length; i++)
                coded.insert(tx, new Coded(codes[i].equals("m") ? 500 : i, codes[i]));
        });
        pool.transact(tx -> coded.delete(tx, 500));
        pool.transact(tx -> coded.get(tx, 1));
    }

    private static boolean isInserted(Tidepool pool, Table<Coded> coded, Coded row) {
        try (Transaction tx = pool.begin()) {
            coded.insert(tx, row);
            return tx.commit();
        } catch (ConflictException | DuplicateKeyException e) {
            return false;
        }
    }
}
