package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.hdtx.Hdtx;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * Two sessions of HDTX insert one key. The first locks the bucket at each verb of the second, and commits at each later
 * one. So the second waits in the queue of the lock. What it has read of the bucket is as old as its wait.
 */
class InsertInQueueTest {
    private static final long KEY = 7;

    /** Enough for the first request, the ticket and some polls. */
    private static final int LATER_VERBS = 16;

    /** Aborts when a lock is held: both sessions share one thread here. */
    private static final HdtxOptions IMPATIENT = HdtxOptions.DEFAULT.with(HdtxOptions.Locks.SPIN);

    private int stoodInLine;

    /** Otherwise the key would exist twice, and one of the two commits would be lost. */
    @Test
    void theBucketIsReadAgainWhenTheLockIsGranted() {
        meetAtEveryVerb(HdtxOptions.DEFAULT.withPatience(0));
        assertTrue(stoodInLine > 0, "the second session never stood in line");
    }

    /** With patience the second session may get the lock without a ticket. The bucket is as old then. */
    @Test
    void theBucketIsReadAgainWithoutATicket() {
        meetAtEveryVerb(HdtxOptions.DEFAULT.withPatience(Long.MAX_VALUE));
        assertEquals(0, stoodInLine, "tickets drawn");
    }

    private void meetAtEveryVerb(HdtxOptions waiting) {
        int verb = 0;
        while (isMet(waiting, verb)) verb++;
        assertTrue(verb > 1, "the second session ended before its verb " + verb);
    }

    /** Returns false if the second session had ended before that verb. */
    private boolean isMet(HdtxOptions waiting, int verb) {
        for (int later = 0; later < LATER_VERBS; later++) if (!isMet(waiting, verb, later)) return later > 0;
        return true;
    }

    private boolean isMet(HdtxOptions waiting, int verb, int later) {
        String where = "locked before verb " + verb + ", committed " + later + " verbs later";
        try (Fabric memory = Fabric.open("mem:?nodes=1")) {
            CuttingFabric fabric = new CuttingFabric(memory);
            Session first = fabric.attach();
            Session second = fabric.attach();
            TableLayout table = open(fabric, first).table(Schema.parse("rows(n:long)"), 4);
            Coordinator holder = new Hdtx(IMPATIENT).coordinator(first, open(fabric, first), new TxnCounter());
            HdtxCoordinator waiter =
                    (HdtxCoordinator) new Hdtx(waiting).coordinator(second, open(fabric, second), new TxnCounter());
            Txn held = holder.begin();
            int inserted = held.insert(table, KEY);
            boolean[] committed = {false};
            fabric.beforeVerb(second.number(), verb, () -> {
                if (!held.execute()) return;
                Words.plain(held.memory(), held.value(inserted), 1);
                fabric.beforeVerb(second.number(), later, () -> committed[0] = held.commit() == Outcome.COMMITTED);
            });

            Txn txn = waiter.begin();
            int access = txn.insert(table, KEY);
            boolean executed = txn.execute();

            if (!fabric.disarm()) return false;
            if (waiter.hdtxCounts().granted > 0) stoodInLine++;
            boolean inserts = executed && !txn.found(access);
            assertFalse(inserts && committed[0], "inserted twice, " + where);
            txn.rollback();
            if (committed[0]) assertEquals(1, value(holder, table), where);
            return true;
        }
    }

    private static Catalog open(Fabric fabric, Session session) {
        return Catalog.open(fabric, session, new PoolOptions("hdtx", 1, 1, 1 << 16, 8, 4096))
                .withRows(new Hdtx()::rows);
    }

    private static long value(Coordinator coordinator, TableLayout table) {
        Txn txn = coordinator.begin();
        int access = txn.read(table, KEY);
        assertEquals(Outcome.COMMITTED, txn.commit());
        return Words.plain(txn.memory(), txn.value(access));
    }
}
