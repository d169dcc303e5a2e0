package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tidepool.history.Recorded.Outcome;
import tidepool.history.Recorded.Txn;
import tidepool.testkit.Effort;

/** The checker and an oracle that tries every order judge thousands of tiny random histories, most impossible. */
class OracleTest {
    private static final int HISTORIES = Effort.of(600, 3_000, 600_000);

    /**
     * With a final read of every key, the lists tell the whole order of versions: then an anomaly is found exactly if
     * the level does not hold, for each of the three levels.
     */
    @Test
    void listsWithFinalReadsAreJudgedExactly() {
        judgedExactly(random -> TinyHistories.lists(random, true));
    }

    private static void judgedExactly(Function<Random, Recorded> maker) {
        Map<Level, int[]> split = new EnumMap<>(Level.class);
        for (long seed = 0; seed < HISTORIES; seed++) {
            Recorded recorded = maker.apply(new Random(seed));
            Verdict verdict = recorded.check();
            for (Level level : Level.values()) {
                boolean holds = Oracle.holds(level, recorded);
                split.computeIfAbsent(level, l -> new int[2])[holds ? 1 : 0]++;
                String where = "seed " + seed + ", " + level + "\n" + recorded.text() + verdict.report();
                assertEquals(holds, verdict.holds(level), where);
            }
        }
        // A generator that makes only good or only bad histories would test nothing.
        split.forEach((level, counts) -> assertTrue(
                Math.min(counts[0], counts[1]) > HISTORIES / 50,
                level + ": " + counts[0] + " bad, " + counts[1] + " good"));
    }

    /** Without final reads some histories cannot be refuted, but what is refuted is impossible. */
    @Test
    void listsWithoutFinalReadsAreNeverAccusedWrongly() {
        neverAccusedWrongly(false);
    }

    @Test
    void registersAreNeverAccusedWrongly() {
        neverAccusedWrongly(true);
    }

    /**
     * Rows name for every version the one that it replaced, also in transactions of unknown outcome. So no final read
     * is needed, and an anomaly is found exactly if the level does not hold.
     */
    @Test
    void rowsAreJudgedExactly() {
        judgedExactly(TinyRows::make);
    }

    /**
     * A row that comes, goes and comes again leaves open which of its absences a range read saw, so not everything is
     * refuted that is impossible.
     */
    @Test
    void rangesAreNeverAccusedWrongly() {
        neverAccusedWrongly(TinyRanges::make);
    }

    private static void neverAccusedWrongly(boolean registers) {
        neverAccusedWrongly(random -> registers ? TinyHistories.registers(random) : TinyHistories.lists(random, false));
    }

    private static void neverAccusedWrongly(Function<Random, Recorded> maker) {
        int refuted = 0;
        int impossible = 0;
        for (long seed = 0; seed < HISTORIES; seed++) {
            Recorded recorded = maker.apply(new Random(seed));
            Verdict verdict = recorded.check();
            for (Level level : Level.values()) {
                boolean holds = Oracle.holds(level, recorded);
                if (!holds) impossible++;
                if (verdict.holds(level)) continue;
                refuted++;
                String where = "seed " + seed + ", " + level + "\n" + recorded.text() + verdict.report();
                assertTrue(!holds, where);
            }
        }
        // Most of what is impossible is also refuted; a checker that finds nothing would pass all of the above.
        assertTrue(refuted > impossible * 9 / 10, refuted + " of " + impossible);
    }

    /** Random tiny histories: a few transactions, overlapping at random, whose reads saw something at random. */
    static final class TinyHistories {
        private TinyHistories() {}

        static Recorded lists(Random random, boolean finalRead) {
            int keys = 1 + random.nextInt(3);
            List<Txn> txns = new ArrayList<>();
            Map<Integer, List<Long>> lists = new java.util.HashMap<>();
            int count = 2 + random.nextInt(3);
            for (int i = 0; i < count; i++) txns.add(new Txn(i, asked(random, keys, i, false)));
            for (Txn txn : txns) outcome(random, txn);
            for (int key = 0; key < keys; key++) lists.put(key, order(random, txns, key));
            for (Txn txn : txns)
                txn.ops.replaceAll(op -> op instanceof MicroOp.Append ? op : prefix(random, txn, op, lists));
            Recorded recorded = interleave(random, txns);
            if (finalRead) {
                List<MicroOp> all = new ArrayList<>();
                lists.forEach((key, list) -> all.add(MicroOp.readList(key, longs(list))));
                Txn last = new Txn(99, all);
                recorded.invoke(last);
                recorded.complete(last);
            }
            return recorded;
        }

        /** The elements of those that took effect, in an order in which those of a transaction mostly stay together. */
        private static List<Long> order(Random random, List<Txn> txns, int key) {
            List<Txn> shuffled = new ArrayList<>(txns);
            if (random.nextInt(3) > 0) Collections.shuffle(shuffled, random);
            List<Long> list = new ArrayList<>();
            for (Txn txn : shuffled) {
                boolean applied =
                        switch (txn.outcome) {
                            case OK -> random.nextInt(40) > 0;
                            case FAIL -> random.nextInt(20) == 0;
                            case INFO -> random.nextBoolean();
                        };
                for (MicroOp op : txn.ops) {
                    boolean dropped = random.nextInt(60) == 0;
                    if (applied && !dropped && op instanceof MicroOp.Append(long k, long element) && k == key) {
                        list.add(element);
                    }
                }
            }
            if (random.nextInt(30) == 0) Collections.shuffle(list, random);
            return list;
        }

        private static MicroOp prefix(Random random, Txn reader, MicroOp op, Map<Integer, List<Long>> lists) {
            List<Long> list = lists.get((int) op.key());
            List<Long> own = new ArrayList<>();
            for (MicroOp before : reader.ops) {
                if (before == op) break;
                if (before instanceof MicroOp.Append(long k, long element) && k == op.key()) own.add(element);
            }
            int length = random.nextInt(list.size() + 1);
            // Mostly a read sees its own appends at the end, as it should.
            if (!own.isEmpty() && random.nextInt(10) > 0) length = list.indexOf(own.getLast()) + 1;
            else if (random.nextInt(3) > 0) {
                for (int i = 0; i < list.size(); i++)
                    if (list.get(i) / 100 == reader.process) length = Math.min(length, i);
            }
            return MicroOp.readList(op.key(), longs(list.subList(0, length)));
        }

        /** Registers whose writes mostly know what they replaced; the versions are handed out along a random order. */
        static Recorded registers(Random random) {
            int keys = 1 + random.nextInt(3);
            List<Txn> txns = new ArrayList<>();
            int count = 2 + random.nextInt(3);
            for (int i = 0; i < count; i++) txns.add(new Txn(i, asked(random, keys, i, true)));
            for (Txn txn : txns) outcome(random, txn);
            Map<Long, Long> state = new java.util.HashMap<>();
            List<Txn> order = new ArrayList<>(txns);
            Collections.shuffle(order, random);
            for (Txn txn : order) {
                Map<Long, Long> own = new java.util.HashMap<>();
                boolean applied = txn.outcome == Outcome.OK || txn.outcome == Outcome.INFO && random.nextBoolean();
                txn.ops.replaceAll(op -> observed(random, op, state, own));
                if (applied) state.putAll(own);
            }
            return interleave(random, txns);
        }

        private static MicroOp observed(Random random, MicroOp op, Map<Long, Long> state, Map<Long, Long> own) {
            Long now = own.getOrDefault(op.key(), state.get(op.key()));
            if (random.nextInt(8) == 0 && !own.containsKey(op.key())) now = null;
            if (op instanceof MicroOp.Write(long key, long version, MicroOp.Previous unused)) {
                own.put(key, version);
                if (random.nextInt(3) == 0) return op;
                return now == null
                        ? new MicroOp.Write(key, version, MicroOp.Previous.NONE)
                        : MicroOp.write(key, version, now);
            }
            return now == null ? MicroOp.read(op.key()) : MicroOp.readVersion(op.key(), now);
        }

        private static List<MicroOp> asked(Random random, int keys, int txn, boolean registers) {
            List<MicroOp> ops = new ArrayList<>();
            int count = 1 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                int key = random.nextInt(keys);
                long value = txn * 100L + i;
                if (random.nextBoolean()) ops.add(MicroOp.read(key));
                else ops.add(registers ? MicroOp.write(key, value) : MicroOp.append(key, value));
            }
            return ops;
        }

        static void outcome(Random random, Txn txn) {
            int dice = random.nextInt(10);
            if (dice == 0) txn.outcome = Outcome.FAIL;
            if (dice == 1) txn.outcome = Outcome.INFO;
        }

        /** Begins and completes in a random order, with more or less overlap. */
        static Recorded interleave(Random random, List<Txn> txns) {
            Recorded recorded = new Recorded();
            List<Txn> waiting = new ArrayList<>(txns);
            List<Txn> open = new ArrayList<>();
            int eagerness = 1 + random.nextInt(4);
            while (!waiting.isEmpty() || !open.isEmpty()) {
                if (!waiting.isEmpty() && (open.isEmpty() || random.nextInt(5) < eagerness)) {
                    Txn txn = waiting.removeFirst();
                    recorded.invoke(txn);
                    open.add(txn);
                } else {
                    recorded.complete(open.remove(random.nextInt(open.size())));
                }
            }
            return recorded;
        }

        private static long[] longs(List<Long> list) {
            return list.stream().mapToLong(Long::longValue).toArray();
        }
    }
}
