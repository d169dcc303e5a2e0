package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A client of FaRMv2 dies at each verb of its third update of a row. Snapshots from before each update then read the
 * row, whose replaced versions the recovery may have to write.
 */
class ReplacedVersionTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int UPDATES = 3;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Otherwise a replaced version lies where no reader looks, or over the version of another row. */
    @Test
    void aRecoveryKeepsTheVersionsThatItReplaces() {
        int finished = 0;
        for (long verb = 0; ; verb++)
            try (RecoveryStage stage = new RecoveryStage("farmv2?versions=8")) {
                Txn[] snapshots = new Txn[UPDATES];
                for (int i = 0; i < UPDATES; i++) {
                    snapshots[i] = snapshot(stage);
                    if (i == UPDATES - 1) stage.fabric.cutAt(stage.session.number(), verb, false);
                    update(stage);
                }
                if (!stage.fabric.disarm()) {
                    assertTrue(finished > 0, "no recovery finished the update");
                    return;
                }
                finished += stage.recover().finished();
                for (int i = 0; i < UPDATES; i++) {
                    String where = "snapshot " + i + ", died at verb " + verb;
                    Txn txn = snapshots[i];
                    int access = txn.read(stage.table, 0);
                    assertTrue(txn.execute(), () -> where + ": " + txn.abortReason());
                    assertEquals(i, Words.plain(txn.memory(), txn.value(access)), where);
                    assertEquals(Outcome.COMMITTED, txn.commit(), where);
                }
            }
    }

    private static Txn snapshot(RecoveryStage stage) {
        Txn txn = stage.another().begin();
        txn.read(stage.table, 1);
        txn.read(stage.table, 2);
        assertTrue(txn.execute());
        return txn;
    }

    private static void update(RecoveryStage stage) {
        try {
            stage.adds(stage.client, 1, 0).commit();
        } catch (FabricException e) {
            // as planned
        }
    }
}
