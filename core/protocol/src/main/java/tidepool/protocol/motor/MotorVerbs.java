package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.SlotTrailer;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.store.motor.BoundLayout;

/** The verbs of Motor where they differ from those on records with one version. */
public class MotorVerbs extends RecordVerbs {
    private boolean inSnapshot;
    private long known;

    public MotorVerbs(PoolRegions pool, MemorySegment memory) {
        super(pool, memory);
    }

    /** Sets whether reads are of a snapshot, which may lie before the deletion of a row. */
    final void inSnapshot(boolean is) {
        inSnapshot = is;
    }

    /** Sets a timestamp that was given before the next locks are asked for. */
    final void known(long timestamp) {
        known = timestamp;
    }

    /**
     * Writes the bound ahead of the lock on the same link, so that a reader that finds the lock finds the bound. The
     * bound is made in the place of the new body's version and key, which are written there only when the lock is held.
     */
    @Override
    protected void compareAndLock(Round round, WriteTarget t, long txn, long intentAt) {
        if (t.isRow()) {
            long made = t.staged - Words.BYTES;
            BoundLayout.seal(memory, made, bound(known), txn);
            long at = SlotTrailer.offset(t.pointer, t.bodyBytes);
            round.write(pool.primary(t.pointer), at, BoundLayout.BYTES, memory, made);
        }
        super.compareAndLock(round, t, txn, intentAt);
    }

    /** Returns the timestamp after which a transaction commits that has not asked for its own yet. */
    protected long bound(long timestamp) {
        return timestamp;
    }

    /** Returns the bound of a lock's holder, which has landed after the object; 0 if there is none. */
    protected long boundOf(long lock, long landed, long bodyBytes) {
        return BoundLayout.of(memory, landed + ObjectLayout.BODY + bodyBytes, TxnId.of(lock));
    }

    @Override
    public void read(Round round, long pointer, long bodyBytes, long landing) {
        if (inSnapshot) readInSnapshot(round, pointer, bodyBytes, landing);
        else readNewest(round, pointer, bodyBytes, landing);
    }

    /**
     * Reads LOCK, then the tuple. If the lock is free, everything that has committed up to the snapshot is in the
     * tuple, and a later locker writes a version after the snapshot. In the reverse order a writer could install and
     * unlock between the two reads. The bound lies after the tuple and is read with it.
     */
    protected void readInSnapshot(Round round, long pointer, long bodyBytes, long landing) {
        readLock(round, pointer, landing);
        readTuple(round, pointer, bodyBytes + BoundLayout.BYTES, landing);
    }

    /**
     * Reads the tuple, then LOCK, then VER, as FORD does. If the lock is free, the newest version in the tuple has
     * committed. If VER is unchanged, no transaction has written in between. With the lock first, another transaction
     * could lock and write between the two reads, and be undone.
     */
    protected void readNewest(Round round, long pointer, long bodyBytes, long landing) {
        super.read(round, pointer, bodyBytes, landing);
    }

    protected final void readLock(Round round, long pointer, long landing) {
        long at = Pointer.offset(pointer) + ObjectLayout.LOCK;
        round.read(pool.primary(pointer), at, Words.BYTES, memory, landing + ObjectLayout.LOCK);
    }

    protected final void readTuple(Round round, long pointer, long bytes, long landing) {
        Region region = pool.primary(pointer);
        long at = Pointer.offset(pointer) + ObjectLayout.VERSION;
        round.read(region, at, Words.BYTES + bytes, memory, landing + ObjectLayout.VERSION);
    }

    @Override
    public boolean leadsTo(MemorySegment landed, long body, long key) {
        return super.leadsTo(landed, body, key)
                || inSnapshot
                        && Words.plain(landed, body + ObjectLayout.BODY_KEY) == key
                        && Words.plain(landed, body + ObjectLayout.BODY_WRITER) != 0;
    }

    /**
     * Writes the tuple after everything that it refers to. No transaction reads it while its lock is held, so it needs
     * no mark.
     */
    public void tuple(Round round, int node, WriteTarget t, long txn) {
        Words.plain(memory, t.staged - Words.BYTES, txn);
        round.write(
                pool.at(node, t.pointer),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                Words.BYTES + t.bodyBytes,
                memory,
                t.staged - Words.BYTES);
    }

    /**
     * Writes an object of the index, which readers look at while it is locked. The stamp of a bucket precedes the image
     * of its head on the same link, so a whole image proves its stamp. Otherwise recovery would keep a head without a
     * stamp, and an older snapshot would take a key that was deleted after it for one that was never there.
     */
    public void index(Round round, int node, WriteTarget t, long txn, long stamp) {
        if (t.isHead()) stamp(round, node, t, stamp);
        image(round, node, t, txn);
    }

    /** Writes the commit timestamp of the last insert into or delete from a bucket. */
    protected void stamp(Round round, int node, WriteTarget t, long stamp) {
        round.write(pool.at(node, t.pointer), Pointer.offset(TableLayout.stamp(t.pointer)), stamp);
    }

    /** Writes one word on the primary. All copies are written, and only the primary has locks. */
    public void releaseTuple(Round round, WriteTarget t) {
        round.write(pool.primary(t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
    }
}
