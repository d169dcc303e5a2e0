package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.protocol.Coordinator;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** Traces of a client that is cut off, in states that crash points of whole simulations hardly ever reach. */
class CutOffClientTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /**
     * A reconfiguration was cut off after it had recorded that a transaction has not happened, because a log was
     * missing. Then the node without the log was lost, and all remaining logs are whole. The second reconfiguration
     * follows the record: the client may have been told.
     */
    @ParameterizedTest
    @ValueSource(strings = {"farm", "drtmh", "farmv2"})
    void recordedOutcomeIsObeyed(String protocol) {
        int logged = 0;
        for (long verb = 0; ; verb++)
            try (RecoveryStage stage = new RecoveryStage(protocol)) {
                Txn txn = stage.adds(stage.client, 1, 0, 1, 2);
                stage.fabric.cutAt(stage.session.number(), verb, true);
                Outcome outcome = end(txn);
                stage.fabric.disarm();
                if (stage.isWritten(txn.id()) || outcome == Outcome.COMMITTED) break;
                if (outcome == Outcome.UNKNOWN) logged++;
                stage.open(stage.fabric, stage.fabric.attach()).recordOutcome(txn.id(), false);
                stage.change();
                Coordinator later = stage.another();
                for (long key = 0; key < 3; key++)
                    assertEquals(0, stage.get(later, key), "row " + key + ", cut off at verb " + verb);
            }
        assertTrue(logged > 0, "no transaction came to its logs");
    }

    /**
     * Two transactions of one coordinator: the locks of the first are still held when the second has written its
     * intent, in the place of the first one's intent. A reconfiguration frees the locks that the log of the first
     * names.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "farmv2", "drtmh"})
    void locksThatOnlyALogNamesAreFreed(String protocol) {
        try (RecoveryStage stage = new RecoveryStage(protocol)) {
            stage.fabric.holdBack(true);
            assertEquals(Outcome.COMMITTED, stage.adds(stage.client, 1, 0, 1, 2).commit());
            assertEquals(Outcome.COMMITTED, stage.adds(stage.client, 1, 3, 4, 5).commit());
            stage.fabric.holdBack(false);
            stage.change();
            Coordinator later = stage.another();
            for (long key = 0; key < RecoveryStage.ROWS; key++) {
                assertEquals(Outcome.COMMITTED, stage.adds(later, 1, key).commit(), "row " + key);
                assertEquals(2, stage.get(later, key), "row " + key);
            }
        }
    }

    /**
     * An attempt gives up, and dies before its locks are free, after the next attempt has written its intent in the
     * place of the first one's. All locks are found. (Other protocols free their locks by WRITEs, which no intent
     * overtakes.)
     */
    @ParameterizedTest
    @ValueSource(strings = {"hdtx", "hdtx?release=client"})
    void locksOfAnAbortedAttemptAreFreed(String protocol) {
        try (RecoveryStage stage = new RecoveryStage(protocol)) {
            stage.fabric.holdBack(true);
            Txn first = stage.adds(stage.client, 1, 0, 1, 2);
            first.rollback();
            Txn second = stage.adds(stage.client, 1, 3, 4, 5);
            assertEquals(null, second.abortReason());
            stage.fabric.holdBack(false);
            for (int node = 0; node < stage.fabric.nodes(); node++)
                stage.fabric.control(node).revoke(stage.session.number());
            stage.recover();
            Coordinator later = stage.another();
            for (long key = 0; key < RecoveryStage.ROWS; key++)
                assertEquals(Outcome.COMMITTED, stage.adds(later, 1, key).commit(), "row " + key);
        }
    }

    /**
     * HDTX, with read-only data: one node alone has the status that decides. A recoverer dies at each of its verbs, and
     * then that node is lost; the recorded outcome is overwritten. All of the transaction is left or nothing, also in
     * the copies.
     */
    @Test
    void statusIsOnEveryNodeBeforeAnythingIsCopied() {
        int scenes = 0;
        for (int lost = 0; lost < 3; lost++)
            for (long verb = 0; ; verb++) {
                int points = diesOver(lost, verb);
                if (points < 0) break;
                scenes += points;
            }
        assertTrue(scenes > 0, "no scene had its status on one node");
    }

    /** Returns the number of scenes with the transaction cut off at that verb, or -1 if it ended before it. */
    private static int diesOver(int lost, long verb) {
        for (int points = 0; ; points++)
            try (RecoveryStage stage = new RecoveryStage("hdtx")) {
                Txn txn = stage.client.begin();
                txn.read(stage.table, 5);
                int first = txn.update(stage.table, 0);
                int second = txn.update(stage.table, 1);
                assertTrue(txn.execute());
                for (int access : new int[] {first, second}) Words.plain(txn.memory(), txn.value(access), 1);
                stage.fabric.cutAt(stage.session.number(), verb, false);
                Outcome outcome = end(txn);
                stage.fabric.disarm();
                if (outcome == Outcome.COMMITTED) return -1;
                if (!stage.isDecidedOnlyAt(lost, txn.id())) return points;
                boolean died = stage.recover(points);
                stage.overwriteOutcomes();
                stage.change(lost);
                Coordinator later = stage.another();
                String where = "lost " + lost + ", cut off at verb " + verb + ", recoverer at " + points;
                assertEquals(stage.get(later, 0), stage.get(later, 1), where);
                for (long key = 0; key < 2; key++)
                    assertEquals(Outcome.COMMITTED, stage.adds(later, 1, key).commit(), where);
                if (!died) return points + 1;
            }
    }

    private static Outcome end(Txn txn) {
        try {
            return txn.commit();
        } catch (FabricException e) {
            return Outcome.ABORTED;
        }
    }
}
