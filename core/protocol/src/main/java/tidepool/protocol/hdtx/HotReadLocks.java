package tidepool.protocol.hdtx;

import tidepool.protocol.record.Access;
import tidepool.protocol.record.LockPolicy;

/**
 * The locks of records that are only read. A transaction that only reads locks nothing. One that writes locks all of
 * them, or those that earlier attempts have failed to read ({@link HotReads}).
 */
public class HotReadLocks implements LockPolicy {
    private final HdtxTxn txn;
    private final HdtxCoordinator coordinator;
    private final boolean locksAll;
    private final boolean locksHot;

    /** The transaction writes something, so it may lock at all. */
    private boolean declaresWrites;

    protected HotReadLocks(HdtxTxn txn, HdtxCoordinator coordinator, HdtxOptions options) {
        this.txn = txn;
        this.coordinator = coordinator;
        this.locksAll = options.reads() == HdtxOptions.Reads.LOCKED;
        // The published form and the forms of other switches do without.
        this.locksHot = options.reads() == HdtxOptions.Reads.STATUS && options.locks() == HdtxOptions.Locks.QUEUE;
    }

    @Override
    public final void plan() {
        declaresWrites = txn.declaresWrites();
    }

    @Override
    public final boolean locksRead(Access a) {
        if (!declaresWrites) return false;
        if (locksAll) return true;
        if (!locksHot || a.kind != Access.Kind.READ || !a.found) return false;
        if (!coordinator.hotReads().contains(a.pointer)) return false;
        coordinator.hdtxCounts().lockedReads++;
        return true;
    }

    @Override
    public void readFailed(Access a) {
        if (a.found && locksHot) coordinator.hotReads().add(a.pointer);
    }
}
