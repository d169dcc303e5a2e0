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
 * How HDTX's transactions are resolved when memory nodes change.
 *
 * <p><b>The rule.</b> T is open if some whole copy that is left carries its mark {INV,T}; otherwise it has ended, or was not
 * reported, because a report means that every copy was marked. An open T with read-only data has happened if a node that is left
 * has its status; one without, if every node that is left and holds a whole copy of something that T writes has its whole log.
 * Then it is installed on each copy that carries its mark or shows what T replaces. Otherwise the marks are taken off.
 *
 * <p><b>It agrees with every report.</b> Reported means that every node had log, marks and status, where there is one. They are
 * there until every copy was made and acknowledged, and then there is no mark.
 */
public class HdtxChange extends RosterChange {
    public HdtxChange(Session session, Catalog catalog) {
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
                long replaced = Words.plain(log, ImageLog.image(log, i));
                if (commits && isBefore(txn, shown, replaced)) install(txn, i, copy);
                else if (!commits && shown.isMarkedBy(txn.id())) takeMarkOff(txn, i, copy, replaced);
            }
    }

    /** Whether a copy has yet to get what T writes: marked or not, since the marks of two nodes do not land together. */
    protected boolean isBefore(LoggedTxn txn, Shown shown, long replaced) {
        return shown.isMarkedBy(txn.id()) || shown.version() == replaced;
    }

    /** Marked first, as its writer does, so that whoever goes on behind us installs it again. */
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
                        ImageLog.image(log, i) + Words.BYTES)
                .write(region, at(txn, i, ObjectLayout.VERSION), txn.id());
    }

    /** No body was touched. */
    protected void takeMarkOff(LoggedTxn txn, int i, int copy, long replaced) {
        adding(1).write(pool.replica(txn.pointer(i), copy), at(txn, i, ObjectLayout.VERSION), replaced);
    }
}
