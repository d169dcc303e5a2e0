package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Session;
import tidepool.protocol.record.AllLogs;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RosterChange;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;

/**
 * How Motor's transactions are resolved when memory nodes change.
 *
 * <p><b>The rule.</b> T has happened if each whole copy that is left of each object that it wrote shows T's whole object, or
 * something later. It has not if one is torn, or shows what T was about to replace, or lies on a node where T has no whole log:
 * there T has touched nothing. Then each copy that shows T, or what T replaces, is put back as it was. Tuples have no marks, so
 * a T that has ended looks like one that has happened and was not yet told: it is kept, and its outcome written down. The logs
 * of a T that is followed by another transaction of its coordinator may be overwritten here and there; it has happened, because
 * its follower was begun behind its commit point. So may those of a T that is over, and then one says so.
 *
 * <p><b>It agrees with every report.</b> Reported means that every copy was complete, and a copy that was complete becomes later
 * or stays so. Not complete means that an acknowledgement never came: T still held all its locks, so nobody has read it or
 * written over it.
 */
public class MotorChange extends RosterChange {
    private final MotorOptions options;
    private Undoing undoing;

    public MotorChange(Session session, Catalog catalog, MotorOptions options) {
        super(session, catalog);
        this.options = options;
    }

    /** Later ones first: so whoever is looked at finds its objects as it left them. */
    @Override
    protected Iterable<LoggedTxn> inOrder(AllLogs logs) {
        return logs.laterFirst();
    }

    @Override
    protected boolean needsWholeLogs() {
        return true;
    }

    @Override
    protected boolean isOpen(LoggedTxn txn) {
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++)
                if (txn.isFollowed() ? look(txn, i, copy).isMarkedBy(txn.id()) : isTouched(txn, i, copy)) return true;
        return false;
    }

    @Override
    protected boolean decide(LoggedTxn txn) {
        if (txn.isFollowed()) return true;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) if (!hasHappened(txn, i, copy)) return false;
        return true;
    }

    private boolean hasHappened(LoggedTxn txn, int i, int copy) {
        Shown shown = look(txn, i, copy);
        if (TxnId.of(shown.version()) == txn.id()) return shown.isImageOf(txn.id());
        MemorySegment log = logOf(txn, i, copy);
        return log != null && TxnId.of(shown.version()) != replaced(log, i);
    }

    /** Whether a copy shows what the transaction wrote, or what it was about to replace and may have begun to. */
    private boolean isTouched(LoggedTxn txn, int i, int copy) {
        MemorySegment log = anyLog(txn, i);
        if (log == null) return false;
        long shown = TxnId.of(look(txn, i, copy).version());
        return shown == txn.id() || shown == replaced(log, i);
    }

    /** A log that has the image of an object, whichever node it is of: they are the same. */
    private static MemorySegment anyLog(LoggedTxn txn, int i) {
        for (int node : txn.nodes()) if (txn.hasImage(i, node)) return txn.log(node);
        return null;
    }

    private static long replaced(MemorySegment log, int i) {
        return TxnId.of(Words.plain(log, ImageLog.image(log, i)));
    }

    @Override
    protected void prepare(LoggedTxn txn, boolean commits) {
        if (commits) return;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) {
                if (!isTouched(txn, i, copy)) continue;
                MemorySegment log = anyLog(txn, i);
                undoing().undo(txn.pointer(i), txn.bodyBytes(i), log, ImageLog.image(log, i), txn.stamp(), copy);
            }
    }

    @Override
    protected void complete(LoggedTxn txn, boolean commits) {
        if (!commits) return;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++)
                if (look(txn, i, copy).isMarkedBy(txn.id()))
                    adding(1).write(pool.replica(txn.pointer(i), copy), at(txn, i, ObjectLayout.VERSION), txn.id());
    }

    private Undoing undoing() {
        if (undoing == null) undoing = new Undoing(pool, lane, round, catalog, this::structure);
        return undoing;
    }

    /** How versions are kept. */
    protected VersionStructure structure(PoolRegions regions, Memory memory) {
        return new Tuples(regions, memory, options);
    }
}
