package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/**
 * The verbs on records, one method for each arrow of a protocol's table. Protocols rely on the order in which these
 * methods put verbs on one link. The planted bugs of the tests override them one at a time.
 */
public class RecordVerbs {
    protected final PoolRegions pool;
    protected final MemorySegment memory;

    public RecordVerbs(PoolRegions pool, MemorySegment memory) {
        this.pool = pool;
        this.memory = memory;
    }

    /**
     * Locks and reads in one trip (FORD §4.2). The intent names the object to be locked, ahead of the lock on its link,
     * so that a recoverer need not search. The READ after a successful CAS cannot be torn.
     */
    public void lock(Round round, WriteTarget t, long txn, long intentAt) {
        compareAndLock(round, t, txn, intentAt);
        round.readAfterSwap(
                pool.primary(t.pointer),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                Words.BYTES + t.bodyBytes,
                memory,
                t.landed + ObjectLayout.VERSION);
    }

    /** Locks an object that was read before. Its version tells whether it has changed since. */
    public void lockRead(Round round, WriteTarget t, long txn, long intentAt) {
        compareAndLock(round, t, txn, intentAt);
        readVersion(round, t);
    }

    /** Whether a granted lock is of the version that was read before; called after {@link #lockRead}. */
    public boolean isAsRead(WriteTarget t) {
        return isAsRead(t, t.version(memory));
    }

    /** Whether a locked object has the version with which it was read, before the lock or after it. */
    public boolean isAsRead(WriteTarget t, long version) {
        return version == (t.isRead() ? t.expected : t.version(memory));
    }

    protected void compareAndLock(Round round, WriteTarget t, long txn, long intentAt) {
        int node = pool.placement().primary(Pointer.partition(t.pointer));
        round.write(pool.log(node), intentAt, t.pointer)
                .compareAndSwap(
                        pool.primary(t.pointer),
                        Pointer.offset(t.pointer) + ObjectLayout.LOCK,
                        0,
                        TxnId.R | txn,
                        memory,
                        t.lockFound);
    }

    /** Whether the word found by the CAS means that the lock is ours now. */
    public boolean isGranted(long found) {
        return found == 0;
    }

    /** Samples the version of an object that will be written. */
    public final void readVersion(Round round, WriteTarget t) {
        round.read(
                pool.primary(t.pointer),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                Words.BYTES,
                memory,
                t.landed + ObjectLayout.VERSION);
    }

    /**
     * Reads the body, then LOCK, then VER: three READs, because one READ across these words samples them in any order.
     */
    public void read(Round round, long pointer, long bodyBytes, long landing) {
        round.readBodyThenPair(pool.primary(pointer), Pointer.offset(pointer), bodyBytes, memory, landing);
    }

    /** Reads a record that this transaction does not write; a protocol may read it from any replica. */
    public void readOnly(Round round, Access a, long bodyBytes, long landing) {
        read(round, a.pointer, bodyBytes, landing);
    }

    /**
     * Reads LOCK, then VER. In the other order, the holder may install and unlock between the two READs: write skew.
     */
    public void validate(Round round, long pointer, long landing) {
        round.readPair(pool.primary(pointer), Pointer.offset(pointer), memory, landing);
    }

    /** Whether validation accepts a record with this lock word as free. */
    public boolean isFree(long lock, long txn) {
        return lock == 0 || TxnId.of(lock) == txn;
    }

    /**
     * Whether a reader accepts a record with this lock word. If another transaction holds the lock, its write may
     * precede values that the reader has already seen. The old value of the record would then be stale.
     */
    public boolean mayRead(long lock, long txn) {
        return isFree(lock, txn);
    }

    /** Whether validation has to check an access that only read. */
    public boolean isValidated(Access a) {
        return true;
    }

    /** Whether an address led to the requested key. */
    public boolean leadsTo(MemorySegment landed, long body, long key) {
        return ObjectLayout.holds(landed, body, key);
    }

    /** Whether a row that has landed is of the wide key whose bytes lie at {@code key}; their words are equal. */
    public boolean isOfKey(TableLayout table, MemorySegment landed, long body, long key) {
        return table.isOfKey(landed, body, key);
    }

    /** Whether the row of a slot that is to be written was read for this wide key; the words of the keys are equal. */
    public boolean isSameKey(TableLayout table, MemorySegment memory, long one, long other) {
        return table.isSameKey(memory, one, other);
    }

    /** Whether a new row may take a slot without a row. Always true here, also if a row was deleted from the slot. */
    public boolean mayTake(MemorySegment landed, long body) {
        return true;
    }

    /**
     * Whether no transaction inserted or deleted while a chain was read. Compares the head's version before with lock
     * and version after.
     */
    public boolean isStable(long before, long lock, long after, long txn) {
        return isFree(lock, txn) && after >= 0 && after == before;
    }

    /** Whether the chain that begins with a bucket is that of a key, given the content of the bucket's head. */
    public boolean isHome(TableLayout table, long key, long bucket, long headWord) {
        return table.isHome(key, bucket, headWord);
    }

    /** Whether a split of a bucket of this depth moves a row with this key. */
    public boolean isMoved(TableLayout table, long key, int depth) {
        return table.isMoved(key, depth);
    }

    /** Whether the head of a chain, read again under its lock, says what it said when the chain was looked up. */
    public boolean isSameHead(long seen, long now) {
        return seen == now;
    }

    /** Whether a body that has landed, and the version sampled after it, are one committed writer's. */
    public boolean isCommitted(MemorySegment landed, long body, long bodyBytes, long version) {
        return ObjectLayout.isWhole(landed, body, bodyBytes) && isOfVersion(landed, body, version);
    }

    /** Whether a whole body that has landed, and the version sampled after it, are one committed writer's. */
    public boolean isOfVersion(MemorySegment landed, long body, long version) {
        return version == Words.plain(landed, body + ObjectLayout.BODY_WRITER);
    }

    /** The log precedes the data on one link: a touched word proves a whole log on that node. */
    public void log(Round round, int node, long slot, long bytes, long log) {
        round.write(pool.log(node), slot, bytes, memory, log);
    }

    /** The log is persistent before the data leaves. Otherwise a loss of power could keep the data and lose the log. */
    public void flushLog(Round round, int node) {
        round.flush(pool.log(node).link());
    }

    /** The images on a node are persistent before the outcome is reported. */
    public void flushImages(Round round, int node) {
        round.flush(pool.log(node).link());
    }

    /** Writes the mark first, so that no reader accepts a body that may still be undone. */
    public void image(Round round, int node, WriteTarget t, long txn) {
        long version = Pointer.offset(t.pointer) + ObjectLayout.VERSION;
        round.markThenWrite(pool.at(node, t.pointer), version, TxnId.INV | txn, t.bodyBytes, memory, t.staged);
    }

    /** Makes the image visible, then frees the lock. */
    public void releasePrimary(Round round, WriteTarget t, long txn) {
        round.writePairBackwards(pool.primary(t.pointer), Pointer.offset(t.pointer), txn, 0);
    }

    /** Uses a CAS from our own mark. Otherwise a plain WRITE could arrive after the next writer's mark and clear it. */
    public void releaseBackup(Round round, WriteTarget t, long txn, int replica) {
        round.compareAndSwap(
                pool.replica(t.pointer, replica),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                TxnId.INV | txn,
                txn,
                null,
                0);
    }

    /** Frees a lock of an attempt that ends, if it is provably ours. Returns false otherwise. */
    public boolean abort(Round round, WriteTarget t) {
        if (!t.held) return false;
        round.write(pool.primary(t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
        return true;
    }
}
