package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.record.LogScan;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A client whose link to one of three nodes breaks at each of its verbs of a transaction, while the links to the other
 * nodes carry everything. So a copy, a log or a lock is missing on any node, also on the first; a client that stops
 * leaves them missing on the last nodes. A recovery, or a reconfiguration, decides for all copies, and its report
 * counts what it did.
 */
class BrokenLinkTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int NODES = 3;
    private static final int ALL_NODES = -1;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Shapes of the transaction. Keys of partition p lie on nodes p and p + 1. */
    private enum Shape {
        /** The backup lies on node 0 and its primary on node 2, so that the backup is written first. */
        LAST_PARTITION,
        ALL_PARTITIONS,
        INSERT,
        /** One partition is written and another one is read, so that one node has no log. */
        READ_ELSEWHERE
    }

    /** Sums of the reports of all scenes. */
    private static final class Tally {
        private int finished;
        private int undone;
        private int freed;
        private int stragglers;

        @Override
        public String toString() {
            return "finished " + finished + ", undone " + undone + ", locks freed " + freed + ", stragglers "
                    + stragglers;
        }
    }

    static Stream<String> protocols() {
        return Stream.of("ford", "ford-lv", "farm", "farmv2", "drtmh", "motor", "hdtx", "hdtx?reads=locked");
    }

    /** Otherwise a copy would differ from its primary, or a lock would stay that no log and no intent names. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aRecoveryDecidesForAllCopies(String protocol) {
        Tally tally = new Tally();
        everyVerb(protocol, (stage, txn, where) -> {
            int locks = stage.locks();
            int stragglers = stage.stragglers();
            LogScan logs = stage.logs();
            Recovery.Report report = stage.recover();
            String told = where + ": " + report;
            int resolved = report.finished() + report.undone();
            assertTrue(resolved <= 1, told);
            assertEquals(1, report.coordinators(), told);
            assertEquals(logs.all().size(), resolved + report.ended(), told);
            assertEquals(logs.torn(), report.tornLogs(), told);
            assertEquals(stragglers, report.stragglers(), told);
            assertEquals(resolved > 0 ? 0 : locks, report.locksFreed(), told);
            Boolean happened = recorded(stage, txn);
            assertEquals(report.finished() > 0, Boolean.TRUE.equals(happened), told);
            assertEquals(report.undone() > 0, Boolean.FALSE.equals(happened), told);
            tally.finished += report.finished();
            tally.undone += report.undone();
            tally.freed += report.locksFreed();
            tally.stragglers += report.stragglers();
            return happened;
        });
        System.out.println(protocol + ": " + tally);
        assertTrue(tally.finished > 0 && tally.undone > 0 && tally.freed > 0, "not all cases: " + tally);
    }

    /** Otherwise a transaction that was reported would be lost with the next reconfiguration. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aChangeOfNodesDecidesForAllCopies(String protocol) {
        Tally tally = new Tally();
        everyVerb(protocol, (stage, txn, where) -> {
            Reconfiguration.Report report = stage.change();
            Boolean happened = recorded(stage, txn);
            assertEquals(report.undone(), Boolean.FALSE.equals(happened) ? 1 : 0, where + ": " + report);
            tally.finished += report.finished();
            tally.undone += report.undone();
            return happened;
        });
        assertTrue(tally.finished > 0 && tally.undone > 0, "not all cases: " + tally);
    }

    /** Returns the recorded outcome of the transaction; null if none was recorded. */
    private static Boolean recorded(RecoveryStage stage, Txn txn) {
        int outcome = stage.open(stage.fabric, stage.fabric.attach()).outcome(txn.id());
        return outcome == 0 ? null : outcome == 1;
    }

    /** Repairs the traces of a client. Returns the recorded outcome of its transaction, or null. */
    private interface Cleaning {
        Boolean clean(RecoveryStage stage, Txn txn, String where);
    }

    private static void everyVerb(String protocol, Cleaning cleaning) {
        for (Shape shape : Shape.values()) {
            for (int node = 0; node < NODES; node++)
                for (long verb = 0; ; verb++) if (!play(protocol, shape, node, verb, cleaning)) break;
            play(protocol, shape, ALL_NODES, 0, cleaning);
        }
    }

    /**
     * Returns false if the transaction has ended before that verb.
     *
     * @param node the node whose link breaks; {@link #ALL_NODES} if all links break when the transaction has committed
     */
    private static boolean play(String protocol, Shape shape, int node, long verb, Cleaning cleaning) {
        String where = shape + ", link to node " + node + " broken at its verb " + verb;
        try (RecoveryStage stage = new RecoveryStage(protocol)) {
            List<Long> keys = new ArrayList<>();
            for (int p = 0; p < NODES; p++) keys.add(key(stage, p));
            List<Long> written =
                    switch (shape) {
                        case INSERT, READ_ELSEWHERE -> List.of(keys.get(0));
                        case LAST_PARTITION -> List.of(keys.get(2));
                        case ALL_PARTITIONS -> keys;
                    };
            // An even id, so that a lock word whose lowest bit is set is the word of another transaction.
            Txn txn = stage.client.begin();
            while ((txn.id() & 1) != 0) {
                txn.rollback();
                txn = stage.client.begin();
            }
            if (node == ALL_NODES) stage.fabric.holdBack(true);
            else stage.fabric.breakLink(stage.session.number(), node, verb);
            Outcome told = end(stage, txn, shape, written, keys.get(1));
            stage.fabric.holdBack(false);
            boolean broken = stage.fabric.mendLink();
            if (node == ALL_NODES) assertEquals(Outcome.COMMITTED, told, where);
            else if (!broken) return false;
            Boolean happened = cleaning.clean(stage, txn, where);
            stage.requireQuiet(where);
            Coordinator later = stage.another();
            long value = stage.get(later, written.getFirst());
            if (told != Outcome.UNKNOWN) assertEquals(told == Outcome.COMMITTED ? 1 : 0, value, where);
            if (happened != null) assertEquals(happened ? 1 : 0, value, where);
            for (long key : written) assertEquals(value, stage.get(later, key), where);
            for (long key : keys)
                assertEquals(Outcome.COMMITTED, stage.adds(later, 1, key).commit(), where);
            return true;
        }
    }

    private static long key(RecoveryStage stage, int partition) {
        long key = 0;
        while (stage.table.partition(key) != partition) key++;
        return key;
    }

    private static Outcome end(RecoveryStage stage, Txn txn, Shape shape, List<Long> written, long read) {
        try {
            List<Integer> accesses = new ArrayList<>();
            for (long key : written) accesses.add(txn.update(stage.table, key));
            if (shape == Shape.INSERT) txn.insert(stage.table, inserted(stage));
            if (shape == Shape.READ_ELSEWHERE) txn.read(stage.table, read);
            if (!txn.execute()) return Outcome.ABORTED;
            for (int access : accesses) Words.plain(txn.memory(), txn.value(access), 1);
            return txn.commit();
        } catch (FabricException e) {
            return Outcome.ABORTED;
        }
    }

    private static long inserted(RecoveryStage stage) {
        long key = RecoveryStage.ROWS;
        while (stage.table.partition(key) != 0) key++;
        return key;
    }
}
