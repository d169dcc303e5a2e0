package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.store.Pointer;

/**
 * The phases that carry out accesses, in the two orders of protocols: lookup, then locks and reads in one trip; or
 * lookup and reads, and locks at commit.
 */
final class AccessPhases {
    /** Value of {@link #awaiting}: no reads were sent in the round of the locks that are asked for. */
    private static final int NOTHING = -1;

    private final RecordTxn txn;
    private final AccessSet declared;
    private final Access[] accesses;
    private final Round round;
    private final AddressHints hints;
    private final BucketFinder finder;
    private final LockPhase lockPhase;
    private final ReadPhase readPhase;
    private int awaiting = NOTHING;

    AccessPhases(RecordTxn txn, RecordCoordinator coordinator, LockPhase lockPhase, Round round, MemorySegment memory) {
        this.txn = txn;
        this.declared = txn.declared;
        this.accesses = declared.all();
        this.round = round;
        this.lockPhase = lockPhase;
        hints = new AddressHints(txn, coordinator);
        finder = new BucketFinder(txn, round, memory);
        readPhase = new ReadPhase(txn, txn.writes(), finder, round, memory);
    }

    /** Called when an attempt begins. */
    void clear() {
        awaiting = NOTHING;
    }

    // ---- lookup

    boolean lookup(int from) {
        hints.recall(accesses, from, declared.count());
        for (int i = from; i < declared.count(); i++) if (seesBucket(accesses[i])) accesses[i].resolved = false;
        if (!lockPhase.isEarly()) readPhase.postAhead(accesses, from, declared.count());
        return finder.resolve(accesses, from, declared.count());
    }

    /**
     * Whether a record that is already written is deleted now, under a protocol that has to read its bucket for that.
     */
    private boolean seesBucket(Access a) {
        if (a.before == null || a.kind != Access.Kind.DELETE || a.before.head != null) return false;
        return !txn.visibility().mayBeCached(a);
    }

    private boolean plan(int from) {
        LockPolicy policy = txn.lockPolicy();
        policy.plan();
        for (int i = from; i < declared.count(); i++) {
            Access a = accesses[i];
            if (!lockPhase.plan(a, policy.locksRead(a))) return false;
            if (a.before != null || !a.writes()) continue;
            if (!txn.mayWrite(a.table, Pointer.partition(a.found ? a.pointer : a.chain[0]))) return false;
        }
        return true;
    }

    // ---- lock and read, in one trip

    boolean lockAndRead(int from) {
        if (!plan(from)) return false;
        boolean locks = lockPhase.post();
        boolean any = readPhase.post(accesses, from, declared.count());
        any |= locks;
        any |= readChains(from, false);
        if (any) {
            if (!locks) txn.at(Step.READ);
            round.post().await();
            awaiting = from;
            if (!lockPhase.granted()) return false;
            awaiting = NOTHING;
        }
        // Also if there is nothing new to lock: a stale address may lead to an object that we hold for another key.
        for (int i = from; i < declared.count(); i++) if (!lockPhase.confirm(accesses[i])) return false;
        return readPhase.accept(accesses, from, declared.count())
                && lockPhase.overflow(accesses, from, declared.count());
    }

    /** @param again whether the chains were read before, while another transaction held the lock of a head */
    private boolean readChains(int from, boolean again) {
        boolean any = false;
        for (int i = from; i < declared.count(); i++) {
            if (!accesses[i].needsSlot()) continue;
            lockPhase.readChainAgain(accesses[i], again);
            any = true;
        }
        boolean emptied = readEmptied(from, again);
        return any || emptied;
    }

    /** Adds READs of overflow buckets from which rows are deleted. Returns false if there are none. */
    private boolean readEmptied(int from, boolean again) {
        boolean any = false;
        for (int i = from; i < declared.count(); i++) {
            Access a = accesses[i];
            if (a.kind != Access.Kind.DELETE || !a.writes() || !a.record.isInOverflow()) continue;
            lockPhase.readBucketOf(a.record, again);
            any = true;
        }
        return any;
    }

    /** Adds the reads that were sent in the round of locks again; see {@link RecordTxn#repostReadsWithLocks}. */
    void repostReadsWithLocks() {
        if (awaiting == NOTHING) return;
        readPhase.post(accesses, awaiting, declared.count());
        readChains(awaiting, true);
    }

    // ---- or read first, and lock at commit

    boolean read(int from) {
        if (!plan(from)) return false;
        if (readPhase.post(accesses, from, declared.count())) round.post().await();
        return readPhase.accept(accesses, from, declared.count());
    }

    /** Takes the locks of everything that is written. Returns false if the attempt was aborted. */
    boolean lockWrites() {
        if (!lockPhase.post()) return true;
        readEmptied(0, false);
        round.post().await();
        if (!lockPhase.granted()) return false;
        for (int i = 0; i < declared.count(); i++) if (!lockPhase.isItsHead(accesses[i])) return false;
        return lockPhase.overflow(accesses, 0, declared.count());
    }

    // ---- reads that were not accepted

    boolean repostReads(int from) {
        return finder.resolve(accesses, from, declared.count()) && readPhase.post(accesses, from, declared.count());
    }

    boolean awaitReads(int from) {
        Step.READ.on(round).post().await();
        return readPhase.accept(accesses, from, declared.count());
    }

    // ---- validation

    boolean validate() {
        return readPhase.validate(accesses, declared.count());
    }

    boolean validateAll() {
        return readPhase.validateAll(accesses, declared.count());
    }

    boolean needsValidation() {
        return readPhase.isNeeded(accesses, declared.count());
    }

    /** Whether everything that was read is unchanged. Takes no local memory: there may be none left. */
    boolean isConsistent() {
        return readPhase.isConsistent(accesses, declared.answered(), 0);
    }

    // ---- addresses

    void rememberAddress(Access a) {
        hints.remember(a);
    }

    void forgetAddress(Access a) {
        hints.forget(a);
    }

    /** Called after a commit, which has moved rows. */
    void learnAddresses() {
        hints.learn(accesses, declared.count());
    }
}
