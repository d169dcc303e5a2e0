package tidepool.protocol.record;

import tidepool.store.TableLayout;

/**
 * The steps of a transaction on records that a protocol defines: how it reaches its commit point, and every deviation
 * from {@link RecordTxn}.
 */
abstract class RecordSteps {
    /** Called when a new attempt begins. */
    protected void begun() {}

    /**
     * Performs everything up to the commit point, from which on the transaction has happened, whichever session or node
     * fails. All locks are held and all reads are valid. Waits for the memory nodes. May still refuse a write set that
     * is too large. A failure leaves the outcome unknown.
     */
    protected void toCommitPoint(int slot) {}

    /** Performs the rest: makes the new values visible and frees the locks, if possible without a wait. */
    protected void afterCommitPoint(int slot) {}

    /**
     * Whether this coordinator may write in a partition of a table. Asked before anything there is locked. May wait for
     * the memory nodes. Returns false if the attempt was aborted.
     */
    protected boolean mayWrite(TableLayout table, int partition) {
        return true;
    }

    /**
     * Adds the verbs that a protocol sends in the round of the locks, ahead of them in {@link RecordTxn#round}. The
     * write set is known. The contents of the objects are not known yet, except for copies seen earlier.
     */
    protected void besideLocks() {}

    /** Whether a cached address of a row is enough; otherwise its bucket is read. */
    protected boolean mayBeCached(Access a) {
        return true;
    }

    /**
     * Performs what has to precede the lookup; accesses from {@code from} on are new. Returns false if the attempt was
     * aborted.
     */
    protected boolean beforeLookup(int from) {
        return true;
    }

    /** Reads what is left after the locks and the reads of objects. Returns false if the attempt was aborted. */
    protected boolean afterReads(int from) {
        return true;
    }

    /** Adds the verbs that a protocol sends with repeated reads, after them in {@link RecordTxn#round}. */
    protected void besideReads(int from) {}

    /**
     * Whether the key of an access counts as absent. Asked when the key was not found in its chain.
     *
     * @param stamp the word after the head of its first bucket
     */
    protected boolean isAbsent(Access a, long stamp) {
        return true;
    }

    /**
     * Whether a read may ignore a lock of another transaction, because all writes of the holder come after what is
     * read.
     *
     * @param landed where the object has landed; it may be torn, and is checked afterwards
     */
    protected boolean mayPass(Access a, long lock, long landed) {
        return false;
    }

    /** Whether all reads are of one snapshot, and so consistent without validation. */
    protected boolean readsSnapshot() {
        return false;
    }

    /** Whether all new accesses that only read are locked as well. */
    protected boolean locksReads() {
        return false;
    }

    /** Whether a found access that only reads is locked; for protocols that lock only some of them. */
    protected boolean locksRead(Access a) {
        return false;
    }

    /**
     * Called when an attempt ends because another transaction holds or has changed the record that this access read.
     */
    protected void readFailed(Access a) {}

    /**
     * Called when other transactions hold some of the requested locks. Waits until this transaction holds them and
     * their objects have landed. Or returns false, and the attempt is aborted.
     */
    protected boolean awaitLocks() {
        return false;
    }
}
