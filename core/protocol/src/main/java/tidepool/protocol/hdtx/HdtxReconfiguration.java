package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Session;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.RosterChange;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;

/**
 * Resolution of HDTX's transactions when memory nodes change.
 *
 * <p><b>The rule.</b> A transaction T is open if some remaining whole copy carries its mark {INV,T}. Otherwise T has
 * ended, or was not reported, because a report means that every copy was marked. An open T with reads that it did not
 * lock has committed if a remaining node has its status. An open T without such reads has committed if every remaining
 * node that holds a whole copy of an object that T writes has its whole log. Then T is installed on each copy that
 * carries its mark or shows the version that T replaces. Otherwise the marks are removed.
 *
 * <p><b>The rule agrees with every report.</b> When T is reported, every node has the log, the marks and, where there
 * is one, the status. They stay until every copy was made and acknowledged, and then there is no mark.
 */
public class HdtxReconfiguration extends RosterChange {
    public HdtxReconfiguration(Session session, Catalog catalog) {
        super(session, catalog);
    }

    @Override
    protected boolean isOpen(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; isWritten(txn, i) && copy < witnesses(txn, i); copy++)
                if (look(txn, i, copy).isMarkedBy(txn.id())) return true;
        return false;
    }

    @Override
    protected boolean decide(LoggedTxn txn) {
        boolean byStatus = false;
        for (int node : txn.nodes()) {
            byStatus |= ImageLog.isByStatus(txn.log(node));
            if (ImageLog.isByStatus(txn.log(node)) && ImageLog.isDecided(txn.log(node))) return true;
        }
        if (byStatus) return false;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; isWritten(txn, i) && copy < witnesses(txn, i); copy++)
                if (logOf(txn, i, copy) == null) return false;
        return true;
    }

    private static boolean isWritten(LoggedTxn txn, int i) {
        return txn.bodyBytes(i) > 0;
    }

    @Override
    protected void prepare(LoggedTxn txn, boolean commits) {}

    @Override
    protected void complete(LoggedTxn txn, boolean commits) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; isWritten(txn, i) && copy < witnesses(txn, i); copy++) {
                MemorySegment log = logOf(txn, i, copy);
                if (log == null) continue;
                Shown shown = look(txn, i, copy);
                long replaced = Words.plain(log, imageOf(txn, i, copy));
                if (commits && isBefore(txn, shown, replaced)) install(txn, i, copy);
                else if (!commits && shown.isMarkedBy(txn.id())) takeMarkOff(txn, i, copy, replaced);
            }
    }

    /**
     * Returns whether a copy has yet to get the image of T. It may be unmarked, because the marks of two nodes do not
     * land together.
     */
    protected boolean isBefore(LoggedTxn txn, Shown shown, long replaced) {
        return shown.isMarkedBy(txn.id()) || shown.version() == replaced;
    }

    /**
     * Marks the copy first, as its writer does. Otherwise a second recoverer, after a crash of this one, would not
     * install it again.
     */
    private void install(LoggedTxn txn, int i, int copy) {
        MemorySegment log = logOf(txn, i, copy);
        var region = pool.replica(txn.pointer(i), copy);
        adding(3)
                .write(region, at(txn, i, ObjectLayout.VERSION), TxnId.INV | txn.id())
                .write(
                        region,
                        at(txn, i, ObjectLayout.BODY),
                        txn.bodyBytes(i),
                        log,
                        imageOf(txn, i, copy) + Words.BYTES)
                .write(region, at(txn, i, ObjectLayout.VERSION), txn.id());
    }

    /** Removes the mark. No body was touched. */
    protected void takeMarkOff(LoggedTxn txn, int i, int copy, long replaced) {
        adding(1).write(pool.replica(txn.pointer(i), copy), at(txn, i, ObjectLayout.VERSION), replaced);
    }
}
