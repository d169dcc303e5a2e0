package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.Target;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.SlotTail;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;
import tidepool.store.motor.BoundLayout;

/** The verbs of Motor where they differ from those on records with one version. */
public class MotorVerbs extends RecordVerbs {
    private boolean inSnapshot;
    private long known;

    public MotorVerbs(PoolRegions pool, MemorySegment memory) {
        super(pool, memory);
    }

    /** Whether reads are of a snapshot, which may lie before a row was deleted. */
    final void inSnapshot(boolean is) {
        inSnapshot = is;
    }

    /** A timestamp that was given before the next locks are asked for. */
    final void known(long timestamp) {
        known = timestamp;
    }

    /**
     * The bound ahead of the lock on the same link, so that a reader that finds the lock finds the bound. It is made where the new
     * body will be: its version and key, which are written there only when the lock is held.
     */
    @Override
    protected void compareAndLock(Round round, Target t, long txn, long intentAt) {
        if (t.isRow()) {
            long made = t.staged - Words.BYTES;
            BoundLayout.seal(memory, made, bound(known), txn);
            long at = SlotTail.offset(t.pointer, t.bodyBytes);
            round.write(pool.primary(t.pointer), at, BoundLayout.BYTES, memory, made);
        }
        super.compareAndLock(round, t, txn, intentAt);
    }

    /** Behind which timestamp a transaction commits that has not asked for its own yet. */
    protected long bound(long timestamp) {
        return timestamp;
    }

    /** The bound of a lock's holder that has landed behind an object; 0 if there is none. */
    protected long boundOf(long lock, long landed, long bodyBytes) {
        return BoundLayout.of(memory, landed + ObjectLayout.BODY + bodyBytes, TxnId.of(lock));
    }

    @Override
    public void read(Round round, long pointer, long bodyBytes, long landing) {
        if (inSnapshot) readInSnapshot(round, pointer, bodyBytes, landing);
        else readNewest(round, pointer, bodyBytes, landing);
    }

    /**
     * LOCK, then the tuple: a lock that is free means that whatever has committed up to the snapshot is in the tuple, and
     * whoever locks later writes a version behind it. The other way round, a writer may install and unlock between the two. The
     * bound lies behind the tuple and is read with it.
     */
    protected void readInSnapshot(Round round, long pointer, long bodyBytes, long landing) {
        readLock(round, pointer, landing);
        readTuple(round, pointer, bodyBytes + BoundLayout.BYTES, landing);
    }

    /**
     * The tuple, then LOCK, then VER, as FORD: a lock that is free means that the newest version in the tuple has committed, and
     * the same version behind it that nobody has been there in between. With the lock first, somebody may lock and write
     * between the two, and be undone.
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

    /** The tuple, behind everything that it refers to: nobody reads it while its lock is held, so it needs no mark. */
    public void tuple(Round round, int node, Target t, long txn) {
        Words.plain(memory, t.staged - Words.BYTES, txn);
        round.write(
                pool.at(node, t.pointer),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                Words.BYTES + t.bodyBytes,
                memory,
                t.staged - Words.BYTES);
    }

    /**
     * An object of the index, which readers look at while it is locked. The stamp of a bucket precedes the image of
     * its head on the same link, so a whole image proves its stamp. Otherwise recovery would keep a head without a
     * stamp, and an older snapshot would take a key that was deleted after it for one that was never there.
     */
    public void index(Round round, int node, Target t, long txn, long stamp) {
        if (t.isHead()) stamp(round, node, t, stamp);
        image(round, node, t, txn);
    }

    /** The commit timestamp of the last insert into or delete from a bucket. */
    protected void stamp(Round round, int node, Target t, long stamp) {
        round.write(pool.at(node, t.pointer), Pointer.offset(TableInfo.stamp(t.pointer)), stamp);
    }

    /** One word on the primary: all copies are written, and no other knows of locks. */
    public void releaseTuple(Round round, Target t) {
        round.write(pool.primary(t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
    }
}
