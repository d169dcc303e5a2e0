package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Session;
import tidepool.protocol.record.LogScan;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RosterChange;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;

/**
 * Resolution of Motor's transactions when memory nodes change.
 *
 * <p><b>The rule.</b> A transaction T has committed if each remaining whole copy of each object that it wrote shows T's
 * whole object, or a later version. T has not committed if one such copy is torn, or shows the version that T was about
 * to replace, or lies on a node where T has no whole log, because T has touched nothing there. Then each copy that
 * shows T, or the version that T replaces, is restored.
 *
 * <p>Tuples have no marks, so a T that has ended looks like one that has committed and was not yet reported. Both are
 * kept. The outcome is recorded unless a released lock shows that T was reported. If all primaries of T's objects are
 * lost, its locks are lost too, and the outcome is recorded. If another transaction of its coordinator follows T, some
 * logs of T may be overwritten. Such a T has committed, because its follower began after T's commit point. Some logs of
 * a T that is over may be overwritten too, and then one of the others says that T is over.
 *
 * <p><b>The rule agrees with every report.</b> A reported T was complete on every copy, and a complete copy stays
 * complete or becomes later. If T is not complete, an acknowledgement never arrived: T still held all its locks, so no
 * transaction has read it or written over it.
 */
public class MotorReconfiguration extends RosterChange {
    private final MotorOptions options;
    private ReplicaUndo undo;

    /** Later transactions are resolved first, so that each transaction finds its objects as it left them. */
    public MotorReconfiguration(Session session, Catalog catalog, MotorOptions options) {
        super(session, catalog, LogScan::laterFirst, Motor.CLEARING);
        this.options = options;
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

    /** A lock is released after the commit point, and the outcome is reported there. */
    @Override
    protected boolean wasReported(LoggedTxn txn) {
        return hasReleasedALock(txn);
    }

    private boolean hasHappened(LoggedTxn txn, int i, int copy) {
        Shown shown = look(txn, i, copy);
        if (TxnId.of(shown.version()) == txn.id()) return shown.isImageOf(txn.id());
        MemorySegment log = logOf(txn, i, copy);
        return log != null && TxnId.of(shown.version()) != TxnId.of(Words.plain(log, imageOf(txn, i, copy)));
    }

    /**
     * Returns whether a copy shows the version that the transaction wrote, or the one that it was about to replace and
     * may have begun to.
     */
    private boolean isTouched(LoggedTxn txn, int i, int copy) {
        int node = nodeWithLog(txn, i);
        if (node < 0) return false;
        long shown = TxnId.of(look(txn, i, copy).version());
        return shown == txn.id() || shown == txn.replaced(i, node);
    }

    /** Returns a node whose log has the image of an object, or -1. The logs of all nodes have the same image. */
    private static int nodeWithLog(LoggedTxn txn, int i) {
        for (int node : txn.nodes()) if (txn.hasImage(i, node)) return node;
        return -1;
    }

    @Override
    protected void prepare(LoggedTxn txn, boolean commits) {
        if (commits) return;
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) {
                if (!isTouched(txn, i, copy)) continue;
                int node = nodeWithLog(txn, i);
                undo().undo(txn.pointer(i), txn.bodyBytes(i), txn.log(node), txn.image(i, node), txn.stamp(), copy);
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

    private ReplicaUndo undo() {
        if (undo == null) undo = new ReplicaUndo(pool, lane, round, catalog, this::structure);
        return undo;
    }

    /** Returns the structure in which versions are kept. */
    protected VersionStructure structure(PoolRegions regions, TxnMemory memory) {
        return new TupleVersions(regions, memory, options);
    }
}
