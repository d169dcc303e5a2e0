package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import tidepool.history.Recorded.Outcome;
import tidepool.history.Recorded.Txn;
import tidepool.testkit.Effort;

/** Good histories of a simple store are accepted, and each way of spoiling them is found. */
class RandomWorkloadTest {
    private static final int RUNS = Effort.of(60, 300, 30_000);
    private static final int TRANSACTIONS = 120;

    @Test
    void strictlySerializableListsAreAccepted() {
        for (long seed = 0; seed < RUNS; seed++) assertAccepted(seed, false);
    }

    @Test
    void strictlySerializableRegistersAreAccepted() {
        for (long seed = 0; seed < RUNS; seed++) assertAccepted(seed, true);
    }

    private static void assertAccepted(long seed, boolean registers) {
        Verdict verdict =
                RandomWorkload.run(new Random(seed), TRANSACTIONS, registers).check();

        assertEquals(Map.of(), verdict.totals(), () -> "seed " + seed + "\n" + verdict.report());
    }

    @Test
    void swappedElementsAreFound() {
        assertSpoiled((random, history) -> {
            List<long[]> lists = listsBeforeTheFinalRead(history);
            if (lists.isEmpty()) return false;
            long[] list = lists.get(random.nextInt(lists.size()));
            int at = random.nextInt(list.length - 1);
            long swap = list[at];
            list[at] = list[at + 1];
            list[at + 1] = swap;
            return true;
        });
    }

    /** The element disappears from every read, as if the append had never reached memory. */
    @Test
    void droppedWritesAreFound() {
        assertSpoiled((random, history) -> {
            Txn victim = anOkTransaction(random, history);
            List<MicroOp> appends = victim.ops.stream()
                    .filter(op -> op instanceof MicroOp.Append)
                    .toList();
            if (appends.isEmpty()) return false;
            MicroOp.Append dropped = (MicroOp.Append) appends.get(random.nextInt(appends.size()));
            for (Txn txn : history.txns) {
                txn.ops.replaceAll(op -> op instanceof MicroOp.ReadList read && read.key() == dropped.key()
                        ? without(read, dropped.element())
                        : op);
            }
            return true;
        });
    }

    /** A transaction reads a list without the last element, whose transaction had completed before it began. */
    @Test
    void staleReadsAreFound() {
        assertSpoiled((random, history) -> {
            Txn reader = anOkTransaction(random, history);
            for (int i = 0; i < reader.ops.size(); i++) {
                if (!(reader.ops.get(i) instanceof MicroOp.ReadList read) || read.elements().length == 0) continue;
                long newest = read.elements()[read.elements().length - 1];
                Txn writer = writer(history, read.key(), newest);
                if (writer.outcome != Outcome.OK || writer.completed > reader.invoked) continue;
                reader.ops.set(i, without(read, newest));
                return true;
            }
            return false;
        });
    }

    /** Two more transactions that each read what the other writes: not serializable, and a snapshot would allow it. */
    @Test
    void injectedWriteSkewIsFoundAndNothingElse() {
        for (long seed = 0; seed < RUNS; seed++) {
            Recorded history = RandomWorkload.run(new Random(seed), TRANSACTIONS, false);
            Txn a = new Txn(9001, List.of(MicroOp.readList(9001), MicroOp.append(9002, 1)));
            Txn b = new Txn(9002, List.of(MicroOp.readList(9002), MicroOp.append(9001, 1)));
            Txn end = new Txn(9003, List.of(MicroOp.readList(9001, 1), MicroOp.readList(9002, 1)));
            history.invoke(a);
            history.invoke(b);
            history.complete(a);
            history.complete(b);
            history.invoke(end);
            history.complete(end);

            Verdict verdict = history.check();
            assertEquals(Map.of(AnomalyKind.G2_ITEM, 1L), verdict.totals(), verdict::report);
            assertTrue(verdict.holds(Level.SNAPSHOT_ISOLATION));
        }
    }

    private static void assertSpoiled(BiPredicate<Random, Recorded> spoil) {
        int spoiled = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            Recorded history = RandomWorkload.run(random, TRANSACTIONS, false);
            boolean done = false;
            for (int attempt = 0; attempt < 20 && !done; attempt++) done = spoil.test(random, history);
            if (!done) continue;
            spoiled++;
            Verdict verdict = history.check();
            String where = "seed " + seed + "\n" + history.text();
            assertFalse(verdict.holds(Level.STRICT_SERIALIZABILITY), where);
        }
        assertTrue(spoiled > RUNS * 9 / 10, "only " + spoiled + " histories could be spoiled");
    }

    /**
     * Lists of two or more elements. The final read gives the true order, so elements that it has in another order may
     * be right.
     */
    private static List<long[]> listsBeforeTheFinalRead(Recorded history) {
        List<long[]> lists = new ArrayList<>();
        for (Txn txn : history.txns.subList(0, history.txns.size() - 1)) {
            if (txn.outcome != Outcome.OK) continue;
            for (MicroOp op : txn.ops) {
                if (op instanceof MicroOp.ReadList read && read.elements().length > 1) lists.add(read.elements());
            }
        }
        return lists;
    }

    private static Txn anOkTransaction(Random random, Recorded history) {
        List<Txn> ok =
                history.txns.stream().filter(t -> t.outcome == Outcome.OK).toList();
        return ok.get(random.nextInt(ok.size()));
    }

    private static Txn writer(Recorded history, long key, long element) {
        return history.txns.stream()
                .filter(t -> t.ops.contains(MicroOp.append(key, element)))
                .findFirst()
                .orElseThrow();
    }

    private static MicroOp without(MicroOp.ReadList read, long element) {
        List<Long> rest = new ArrayList<>();
        for (long e : read.elements()) if (e != element) rest.add(e);
        return MicroOp.readList(read.key(), RandomWorkload.longs(rest));
    }
}
