package tidepool.protocol.record;

import tidepool.store.TableInfo;

/**
 * What a protocol says about its transactions on records: how they come to their commit point, and whatever else it does in
 * another way than {@link RecordTxn} would.
 */
abstract class RecordSteps {
    /** A new attempt begins. */
    protected void begun() {}

    /**
     * Everything up to the point from which the transaction has happened, whoever dies; all locks are held and all reads
     * are valid. Waits. May still refuse a write set that is too large. A failure leaves the outcome unknown.
     */
    protected abstract void toCommitPoint(int slot);

    /** What is left to do: make the new values visible and free the locks, if possible without making anybody wait. */
    protected abstract void afterCommitPoint(int slot);

    /**
     * Whether this coordinator may write in a partition of a table; asked before anything there is locked. Waits. False if
     * the attempt was aborted.
     */
    protected boolean mayWrite(TableInfo table, int partition) {
        return true;
    }

    /**
     * What a protocol sends together with locks, ahead of them in {@link RecordTxn#round}; the write set is known, what lies behind
     * the locks is not, but for what was seen before.
     */
    protected void besideLocks() {}

    /** Whether it is enough to know where a row lies; otherwise its bucket is read. */
    protected boolean mayBeCached(Access a) {
        return true;
    }

    /** What has to be known before anything is looked up; accesses from there on are new. False if the attempt was aborted. */
    protected boolean beforeLookup(int from) {
        return true;
    }

    /** What is left to read behind the locks and the objects that were read. False if the attempt was aborted. */
    protected boolean afterReads(int from) {
        return true;
    }

    /** What a protocol reads together with objects that are read again, behind them in {@link RecordTxn#round}. */
    protected void besideReads(int from) {}

    /**
     * Whether the key of an access is to be taken for absent; asked when nothing of it was found in its chain.
     *
     * @param stamp the word behind the head of its first bucket
     */
    protected boolean isAbsent(Access a, long stamp) {
        return true;
    }

    /**
     * Whether a read may pass a lock that somebody else holds, because whatever the holder writes comes behind what is read.
     *
     * @param landed where the object has landed; it may be torn, and is looked at afterwards
     */
    protected boolean mayPass(Access a, long lock, long landed) {
        return false;
    }

    /** Whether everything that was read is of one snapshot, and so consistent without being looked at again. */
    protected boolean readsSnapshot() {
        return false;
    }

    /** Whether what is only read is locked as well, of what was declared since the last time. */
    protected boolean locksReads() {
        return false;
    }

    /** The same of one that was found; for protocols that lock only some of them. */
    protected boolean locksRead(Access a) {
        return false;
    }

    /** An attempt ends, because somebody else holds or has changed what this access has read. */
    protected void readFailed(Access a) {}

    /**
     * Some locks that were asked for are held by others. Waits until they are ours, and what lies behind them has landed; or
     * says no, and the attempt is aborted.
     */
    protected boolean awaitLocks() {
        return false;
    }
}
