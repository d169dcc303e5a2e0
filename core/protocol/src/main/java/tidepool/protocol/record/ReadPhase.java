package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.store.ObjectLayout;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;

/**
 * The read phase: reads records that are not locked, accepts those that are whole and visible, and validates them later
 * (§4.6).
 */
final class ReadPhase {
    private static final int MAX_TRIES = 64;
    private static final long PAUSE_NANOS = 500;

    /** Records whose checksums are computed together. */
    private static final int FOUR = 4;

    private final RecordTxn txn;
    private final WriteSet writes;
    private final BucketFinder finder;
    private final Round round;
    private final MemorySegment memory;

    ReadPhase(RecordTxn txn, WriteSet writes, BucketFinder finder, Round round, MemorySegment memory) {
        this.txn = txn;
        this.writes = writes;
        this.finder = finder;
        this.round = round;
        this.memory = memory;
    }

    /** Adds the READs of every record that is still to be read. Returns false if there is none. */
    boolean post(Access[] accesses, int from, int to) {
        boolean any = false;
        for (int i = from; i < to; i++) {
            Access a = accesses[i];
            if (!a.isUnread()) continue;
            long bodyBytes = ObjectLayout.bodyBytes(a.table.contentBytes());
            if (a.isReadAhead) {
                landAhead(a, bodyBytes);
                continue;
            }
            any = true;
            if (a.before != null) {
                txn.verbs().readVersion(round, a.head);
                continue;
            }
            a.witness = a.pointer;
            if (a.record == null) {
                if (a.readLanded < 0) a.readLanded = txn.take(a.table.slotBytes());
                txn.verbs().readOnly(round, a, bodyBytes, a.readLanded);
                continue;
            }
            a.readLanded = a.record.landed;
            txn.verbs().read(round, a.pointer, bodyBytes, a.readLanded);
            if (a.head != null && !a.head.isRead()) txn.verbs().readVersion(round, a.head);
        }
        return any;
    }

    /**
     * Adds READs of nodes of indexes whose addresses are known, if other keys are still to be looked up: so a row that
     * is inserted costs no round trip more for its entries. For protocols that lock late.
     */
    void postAhead(Access[] accesses, int from, int to) {
        boolean isLookedUp = false;
        for (int i = from; i < to; i++) isLookedUp |= !accesses[i].resolved;
        if (!isLookedUp) return;
        for (int i = from; i < to; i++) {
            Access a = accesses[i];
            boolean isRead = a.kind == Access.Kind.READ || a.kind == Access.Kind.UPDATE;
            if (!a.resolved || !isRead || a.before != null || !a.table.isIndexNodes() || !a.isUnread()) continue;
            long bodyBytes = ObjectLayout.bodyBytes(a.table.contentBytes());
            a.witness = a.pointer;
            if (a.readLanded < 0) a.readLanded = txn.take(a.table.slotBytes());
            if (a.kind == Access.Kind.READ) txn.verbs().readOnly(round, a, bodyBytes, a.readLanded);
            else txn.verbs().read(round, a.pointer, bodyBytes, a.readLanded);
            a.isReadAhead = true;
        }
    }

    /** Takes what has landed ahead for what was asked for now. */
    private void landAhead(Access a, long bodyBytes) {
        a.isReadAhead = false;
        if (a.record == null) return;
        MemorySegment.copy(memory, a.readLanded, memory, a.record.landed, ObjectLayout.BODY + bodyBytes);
        a.readLanded = a.record.landed;
    }

    /**
     * Accepts landed records. Reads torn, marked or locked ones again, while this transaction holds no locks. Returns
     * false if the attempt was aborted.
     */
    boolean accept(Access[] accesses, int from, int to) {
        for (int tries = 0; ; tries++) {
            boolean unclear = false;
            for (int i = from; i + FOUR <= to; i += FOUR) checkFour(accesses, i);
            for (int i = from; i < to; i++) if (accesses[i].isUnread()) unclear |= !accept(accesses[i]);
            if (!unclear) return true;
            if (!txn.isActive()) return false;
            // If this transaction holds locks, waiting for another lock could be a deadlock with itself: abort instead.
            if (txn.holdsLocks() || tries == MAX_TRIES) return unreadable(accesses, from, to);
            Waiting.pause(PAUSE_NANOS << Math.min(tries, 6));
            if (!finder.resolve(accesses, from, to)) return false;
            // Such an access found its key and therefore only reads it. If the key is gone now, the access would have
            // to insert it, and that needs a lock.
            for (int i = from; i < to; i++)
                if (accesses[i].needsSlot() && !accesses[i].writes()) return txn.abort(AbortReason.BUCKET_CHANGED);
            if (!post(accesses, from, to)) return true;
            Step.READ.on(round).post().await();
        }
    }

    /**
     * Looks whether four records that have landed are whole, if none was written before it was read and all have one
     * size. Those of a scan do; their checksums take most of its time.
     */
    private void checkFour(Access[] accesses, int from) {
        Access first = accesses[from];
        for (int i = from; i < from + FOUR; i++) {
            Access a = accesses[i];
            if (a.table != first.table || a.before != null || !a.isUnread()) return;
        }
        Access second = accesses[from + 1];
        Access third = accesses[from + 2];
        Access fourth = accesses[from + 3];
        boolean areWhole = ObjectLayout.areWhole(
                memory,
                first.readLanded + ObjectLayout.BODY,
                second.readLanded + ObjectLayout.BODY,
                third.readLanded + ObjectLayout.BODY,
                fourth.readLanded + ObjectLayout.BODY,
                ObjectLayout.bodyBytes(first.table.contentBytes()));
        for (int i = from; i < from + FOUR; i++) accesses[i].isWhole = areWhole;
    }

    private boolean unreadable(Access[] accesses, int from, int to) {
        for (int i = from; i < to; i++)
            if (accesses[i].isUnread()) txn.lockPolicy().readFailed(accesses[i]);
        return txn.abort(AbortReason.UNREADABLE);
    }

    /**
     * Accepts a landed value if it is whole, of one committed writer, and not locked by a transaction that may precede
     * this one.
     */
    private boolean accept(Access a) {
        boolean isWhole = a.isWhole;
        a.isWhole = false; // whatever comes of it: if it is read again, another body lands
        if (a.before != null) return acceptHead(a);
        long body = a.readLanded + ObjectLayout.BODY;
        long lock = Words.plain(memory, a.readLanded + ObjectLayout.LOCK);
        long version = Words.plain(memory, a.readLanded + ObjectLayout.VERSION);
        if (!txn.verbs().mayRead(lock, txn.id())) {
            txn.blockedBy(lock);
            if (!txn.visibility().mayPass(a, lock, a.readLanded)) {
                txn.counts().lockedReads++;
                return false;
            }
            txn.counts().passedLocks++;
        }
        if (version < 0) txn.blockedBy(version);
        long bodyBytes = ObjectLayout.bodyBytes(a.table.contentBytes());
        boolean isCommitted = isWhole
                ? txn.verbs().isOfVersion(memory, body, version)
                : txn.verbs().isCommitted(memory, body, bodyBytes, version);
        if (!isCommitted) {
            if (version < 0) txn.counts().markedReads++;
            else txn.counts().tornReads++;
            return false;
        }
        if (!txn.verbs().leadsTo(memory, body, a.key) || !a.isKeyOf(txn.verbs(), memory, body)) {
            // The address no longer leads to the key: the key has to be looked up in its bucket.
            txn.forgetAddress(a);
            if (a.record != null) return txn.abort(AbortReason.STALE_ADDRESS); // it was to be written there
            a.resolved = false;
            return false;
        }
        if (a.record != null && !stage(a, version, bodyBytes)) return false;
        txn.rememberAddress(a);
        a.landed = a.readLanded;
        a.versionSeen = version;
        return true;
    }

    /**
     * Reads only the head. The record was read and changed by an earlier access; another read would undo the change.
     */
    private boolean acceptHead(Access a) {
        if (!a.head.isRead() && !isHeadSettled(a)) return false;
        a.landed = a.record.landed;
        return true;
    }

    /** Whether the head that has landed shows no change in progress. */
    private boolean isHeadSettled(Access a) {
        long head = a.head.version(memory);
        if (head < 0) {
            txn.blockedBy(head);
            return false;
        }
        a.head.expected = head;
        return true;
    }

    /**
     * Stages a record that is locked later: the value that was read is the one that will be changed. Returns false if
     * it is to be read again, or the attempt was aborted.
     */
    private boolean stage(Access a, long version, long bodyBytes) {
        WriteTarget t = a.record;
        // Nothing is locked yet: the slot may hold another key than when this transaction first declared a write there.
        if (t.key != a.key || !a.isKeyOf(txn.verbs(), memory, t)) return txn.abort(AbortReason.BUCKET_CHANGED);
        if (a.head != null && !a.head.isRead() && !isHeadSettled(a)) return false;
        if (a.kind == Access.Kind.DELETE) t.flags = ObjectLayout.flags(a.table.id(), false);
        t.expected = version;
        MemorySegment.copy(memory, t.landed + ObjectLayout.BODY, memory, t.staged, bodyBytes);
        return true;
    }

    /**
     * Checks, after all own locks are acknowledged, that every record that was only read is unchanged and not locked by
     * another transaction. "Not found" is checked as well. A single read alone needs no check: the record was whole and
     * free at one moment.
     */
    boolean validate(Access[] accesses, int count) {
        if (!isNeeded(accesses, count)) return true;
        long landing = txn.take(2L * Words.BYTES * count);
        if (post(accesses, count, landing)) Step.VALIDATE.on(round).post().await();
        return isUnchanged(accesses, count, landing);
    }

    /**
     * Validates the read set, and checks that every written object is locked by this transaction and unchanged since it
     * was read.
     */
    boolean validateAll(Access[] accesses, int count) {
        long landing = txn.take(2L * Words.BYTES * (count + writes.count()));
        long written = landing + 2L * Words.BYTES * count;
        post(accesses, count, landing);
        for (int i = 0; i < writes.count(); i++)
            txn.verbs().validate(round, writes.get(i).pointer, written + 2L * Words.BYTES * i);
        Step.VALIDATE.on(round).post().await();
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            long landed = written + 2L * Words.BYTES * i;
            boolean ours = TxnId.of(Words.plain(memory, landed)) == txn.id();
            Checks.invariant(ours, "what was locked stays so");
            if (!txn.verbs().isAsRead(t, Words.plain(memory, landed + Words.BYTES)))
                return txn.abort(AbortReason.VERSION_CHANGED);
        }
        return isUnchanged(accesses, count, landing);
    }

    /**
     * Whether all values that were read existed at one moment, for accesses that do not commit. Some are locked. Those
     * that would be locked later are checked like reads. Returns false if the attempt was aborted.
     *
     * @param landing memory for two words of each access
     */
    boolean isConsistent(Access[] accesses, int count, long landing) {
        int all = 0;
        int open = 0;
        for (int i = 0; i < count; i++) {
            if (accesses[i].before != null) continue;
            all++;
            if (!accesses[i].isHeld()) open++;
        }
        if (open == 0 || all == 1) return true; // a single one was whole and free at one moment
        for (int i = 0; i < count; i++)
            if (isOpen(accesses[i])) txn.verbs().validate(round, accesses[i].witness, landing + 2L * Words.BYTES * i);
        Step.VALIDATE.on(round).post().await();
        for (int i = 0; i < count; i++) {
            long landed = landing + 2L * Words.BYTES * i;
            if (isOpen(accesses[i])
                    && !isUnchanged(
                            accesses[i], Words.plain(memory, landed), Words.plain(memory, landed + Words.BYTES)))
                return false;
        }
        return true;
    }

    private static boolean isOpen(Access a) {
        return a.before == null && !a.isHeld();
    }

    /** Whether any record that was read has to be checked again. */
    boolean isNeeded(Access[] accesses, int count) {
        int reads = 0;
        for (int i = 0; i < count; i++) if (!accesses[i].writes()) reads++;
        return reads > 1 || (reads == 1 && writes.count() > 0);
    }

    private boolean post(Access[] accesses, int count, long landing) {
        boolean any = false;
        for (int i = 0; i < count; i++) {
            Access a = accesses[i];
            if (a.writes() || a.settled || writes.find(a.witness) != null) continue;
            txn.verbs().validate(round, a.witness, landing + 2L * Words.BYTES * i);
            any = true;
        }
        return any;
    }

    private boolean isUnchanged(Access[] accesses, int count, long landing) {
        for (int i = 0; i < count; i++)
            if (!accesses[i].writes()
                    && !accesses[i].settled
                    && !isUnchanged(accesses[i], landing + 2L * Words.BYTES * i)) return false;
        return true;
    }

    private boolean isUnchanged(Access a, long landed) {
        if (!txn.verbs().isValidated(a)) return true;
        WriteTarget own = writes.find(a.witness);
        long lock = own != null ? 0 : Words.plain(memory, landed);
        long version = own != null ? own.version(memory) : Words.plain(memory, landed + Words.BYTES);
        return isUnchanged(a, lock, version);
    }

    private boolean isUnchanged(Access a, long lock, long version) {
        if (!txn.verbs().isFree(lock, txn.id())) {
            txn.blockedBy(lock);
            txn.lockPolicy().readFailed(a);
            return txn.abort(AbortReason.READ_LOCKED);
        }
        if (version == a.versionSeen) return true;
        txn.lockPolicy().readFailed(a);
        return txn.abort(a.ifChanged());
    }
}
