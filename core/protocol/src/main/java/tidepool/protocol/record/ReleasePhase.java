package tidepool.protocol.record;

import tidepool.fabric.Round;

/** The release phase: makes the images of written objects visible on every replica, and frees their locks. */
public final class ReleasePhase {
    private final RecordTxn txn;
    private final PoolRegions pool;

    public ReleasePhase(RecordTxn txn, RecordCoordinator coordinator) {
        this.txn = txn;
        this.pool = coordinator.pool();
    }

    /** Adds the release of every written object. */
    public Round addAll(Round release) {
        for (int i = 0; i < txn.writes().count(); i++) add(release, txn.writes().get(i));
        return release;
    }

    /** Primary: WRITE VER={0,T} -> WRITE LOCK=0. Backup: CAS VER {INV,T}->{0,T}. */
    public void add(Round release, WriteTarget t) {
        txn.verbs().releasePrimary(release, t, txn.id());
        for (int r = 1; r < pool.copies(t.pointer); r++) txn.verbs().releaseBackup(release, t, txn.id(), r);
    }
}
