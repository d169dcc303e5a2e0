package tidepool.protocol.record;

import java.util.function.LongSupplier;
import tidepool.base.Words;
import tidepool.protocol.RowPage;
import tidepool.store.Pointer;
import tidepool.txn.AbortReason;

/**
 * The snapshot phase: the snapshot in which a transaction reads, and the reads that precede it. Earlier reads without a
 * snapshot belong to it if they are unchanged. READ LOCK -> READ VER of them travel in the next round.
 */
public class SnapshotPhase implements Visibility {
    /** The value of {@link #snapshot()} while each record is read in its newest version. */
    public static final long NONE = RowPage.NO_SNAPSHOT;

    private static final long SAMPLE = 2L * Words.BYTES;

    private final RecordTxn txn;
    private final LongSupplier newest;
    private long snapshot = NONE;

    /** All reads of the attempt are of this snapshot, however many there are. */
    private boolean held;

    /** The accesses that were read before there was a snapshot, and where their locks and versions land once more. */
    private int earlier;

    private long earlierLanded;

    /** @param newest returns the timestamp of a snapshot that has everything committed so far */
    public SnapshotPhase(RecordTxn txn, LongSupplier newest) {
        this.txn = txn;
        this.newest = newest;
    }

    /** Returns the timestamp of the snapshot, or {@link #NONE}. */
    public final long snapshot() {
        return snapshot;
    }

    public final boolean isTaken() {
        return snapshot != NONE;
    }

    /** Begins with the accesses from {@code from} on. The first ones of an attempt find no snapshot. */
    public final void begin(int from) {
        if (from == 0 && !held) snapshot = NONE;
        earlier = 0;
    }

    /** Reads newest versions from here on, unless the snapshot is held. */
    public final void leave() {
        if (!held) snapshot = NONE;
    }

    @Override
    public final long hold(long wanted) {
        snapshot = wanted != NONE ? wanted : newest.getAsLong();
        held = true;
        return snapshot;
    }

    @Override
    public final void letGo() {
        held = false;
    }

    /** Reads in a new snapshot from here on, the accesses before {@code from} too if {@link #holds}. */
    public final void take(int from) {
        snapshot = newest.getAsLong();
        for (int i = 0; i < from; i++) {
            Access a = txn.access(i);
            if (a.writes()) continue;
            if (earlier == 0) earlierLanded = txn.take(SAMPLE * from);
            earlier = i + 1;
            txn.verbs().validate(txn.round(), a.witness, earlierLanded + SAMPLE * i);
        }
    }

    /** Whether the earlier reads belong to the snapshot. Returns false if the attempt was aborted. */
    public final boolean holds() {
        for (int i = 0; i < earlier; i++) {
            Access a = txn.access(i);
            if (a.writes()) continue;
            long lock = Words.plain(txn.memory(), earlierLanded + SAMPLE * i);
            long version = Words.plain(txn.memory(), earlierLanded + SAMPLE * i + Words.BYTES);
            if (!txn.verbs().isFree(lock, txn.id())) {
                txn.blockedBy(lock);
                return txn.abort(AbortReason.READ_LOCKED);
            }
            if (version != a.versionSeen) return txn.abort(a.ifChanged());
        }
        earlier = 0;
        return true;
    }

    @Override
    public final boolean isOneSnapshot() {
        return isTaken() && earlier == 0;
    }

    /** In a snapshot a bucket may be written only if it is as it was then, so a delete has to read it. */
    @Override
    public final boolean mayBeCached(Access a) {
        return !isTaken() || a.kind != Access.Kind.DELETE;
    }

    /** The key was absent in the snapshot too, if the bucket has not changed since. */
    @Override
    public final boolean isAbsent(Access a, long bucketStamp) {
        if (!isTaken() || bucketStamp <= snapshot || a.isInsert()) return true;
        if (a.kind != Access.Kind.READ || a.deletedSlot == Pointer.NOWHERE) txn.abort(AbortReason.SNAPSHOT_TOO_OLD);
        return false;
    }
}
