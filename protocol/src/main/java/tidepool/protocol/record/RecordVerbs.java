package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * The verbs on records, one method for each arrow of a protocol's table. Whatever a protocol relies on is the order in
 * which these methods put verbs on one link; the planted bugs of the tests override them one at a time.
 */
public class RecordVerbs {
    protected final PoolRegions pool;
    protected final MemorySegment memory;

    public RecordVerbs(PoolRegions pool, MemorySegment memory) {
        this.pool = pool;
        this.memory = memory;
    }

    /**
     * Lock and read in one trip (FORD §4.2). The intent names what is about to be locked, ahead of the lock on the same
     * link, so that a recoverer need not search; the READ behind a CAS that succeeded cannot be torn.
     */
    public void lock(Round round, Target t, long txn, long intentAt) {
        compareAndLock(round, t, txn, intentAt);
        round.readBehindSwap(
                pool.primary(t.pointer),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                Words.BYTES + t.bodyBytes,
                memory,
                t.landed + ObjectLayout.VERSION);
    }

    /** Locks what was read before: its version tells whether it is still what was read. */
    public void lockRead(Round round, Target t, long txn, long intentAt) {
        compareAndLock(round, t, txn, intentAt);
        readVersion(round, t);
    }

    /** Whether a lock that was granted is of what was read before; asked behind {@link #lockRead}. */
    public boolean isAsRead(Target t) {
        return isAsRead(t, t.version(memory));
    }

    /** Whether an object that is locked has the version with which it was read, before the lock or behind it. */
    public boolean isAsRead(Target t, long version) {
        return version == (t.isRead() ? t.expected : t.version(memory));
    }

    protected void compareAndLock(Round round, Target t, long txn, long intentAt) {
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

    /** Whether the word that was found means that the lock is ours now. */
    public boolean isGranted(long found) {
        return found == 0;
    }

    /** Samples the version of an object that will be written. */
    public final void readVersion(Round round, Target t) {
        round.read(
                pool.primary(t.pointer),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                Words.BYTES,
                memory,
                t.landed + ObjectLayout.VERSION);
    }

    /** Body, then LOCK, then VER: three READs, because one that spans these words samples them in any order. */
    public void read(Round round, long pointer, long bodyBytes, long landing) {
        round.readBehindThenPair(pool.primary(pointer), Pointer.offset(pointer), bodyBytes, memory, landing);
    }

    /** The same for a record that this transaction does not write; a protocol may take it from any replica. */
    public void readOnly(Round round, Access a, long bodyBytes, long landing) {
        read(round, a.pointer, bodyBytes, landing);
    }

    /** LOCK, then VER. The other way round, the holder may install and unlock between the two: write skew. */
    public void validate(Round round, long pointer, long landing) {
        round.readPair(pool.primary(pointer), Pointer.offset(pointer), memory, landing);
    }

    /** Whether validation takes a record with this lock word for free. */
    public boolean isFree(long lock, long txn) {
        return lock == 0 || TxnId.of(lock) == txn;
    }

    /** Whether a reader takes a record with this lock word: its holder may have been overtaken by what we saw before. */
    public boolean mayRead(long lock, long txn) {
        return isFree(lock, txn);
    }

    /** Whether something that was only read has to be as it was when we commit. */
    public boolean isValidated(Access a) {
        return true;
    }

    /** Whether an address led to the key that was looked for. */
    public boolean leadsTo(MemorySegment landed, long body, long key) {
        return ObjectLayout.holds(landed, body, key);
    }

    /** Whether a row that comes may take a slot that holds none: always, also where another one was deleted. */
    public boolean mayTake(MemorySegment landed, long body) {
        return true;
    }

    /** Whether nobody inserted or deleted while a chain was read: its head's version before, lock and version after. */
    public boolean isStable(long before, long lock, long after, long txn) {
        return isFree(lock, txn) && after >= 0 && after == before;
    }

    /** Whether a body that has landed, and the version sampled after it, are one committed writer's. */
    public boolean isCommitted(MemorySegment landed, long body, long bodyBytes, long version) {
        return ObjectLayout.isWhole(landed, body, bodyBytes)
                && version == Words.plain(landed, body + ObjectLayout.BODY_WRITER);
    }

    /** The log goes ahead of the data on the same link: a touched word means a whole log on that node. */
    public void log(Round round, int node, long slot, long bytes, long log) {
        round.write(pool.log(node), slot, bytes, memory, log);
    }

    /** The log is persistent before the data leaves: otherwise a loss of power keeps the data and not the log. */
    public void flushLog(Round round, int node) {
        round.flush(pool.log(node).link());
    }

    /** What was written to a node is persistent before anybody hears of it. */
    public void flushImages(Round round, int node) {
        round.flush(pool.log(node).link());
    }

    /** Marked first, so that no reader takes a body that may yet be undone. */
    public void image(Round round, int node, Target t, long txn) {
        long version = Pointer.offset(t.pointer) + ObjectLayout.VERSION;
        round.markThenWrite(pool.at(node, t.pointer), version, TxnId.INV | txn, t.bodyBytes, memory, t.staged);
    }

    /** Visible, then free. */
    public void releasePrimary(Round round, Target t, long txn) {
        round.writePairBackwards(pool.primary(t.pointer), Pointer.offset(t.pointer), txn, 0);
    }

    /** By CAS from our own mark: a plain WRITE could arrive behind the next writer's mark and clear it. */
    public void releaseBackup(Round round, Target t, long txn, int replica) {
        round.compareAndSwap(
                pool.replica(t.pointer, replica),
                Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                TxnId.INV | txn,
                txn,
                null,
                0);
    }

    /** Frees a lock of an attempt that ends; one that is not provably ours is not touched. False if there is none. */
    public boolean abort(Round round, Target t) {
        if (!t.held) return false;
        round.write(pool.primary(t.pointer), Pointer.offset(t.pointer) + ObjectLayout.LOCK, 0);
        return true;
    }
}
