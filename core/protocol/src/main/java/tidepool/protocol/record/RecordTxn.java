package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.TxnTooLargeException;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.ScratchMemory;
import tidepool.store.StoreException;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * A transaction on records: declares, looks up, locks, reads, validates and aborts. A protocol adds how it reaches its
 * commit point, and what it does after the commit point: {@link RecordSteps}.
 *
 * <pre>
 *   phase     verbs (per connection; -> is an order kept for free by the fabric)  trips   a crash right after it leaves
 *   lookup    READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER     0 or 1  nothing
 *   lock early: in the round of the reads
 *             write set:  WRITE intent -> CAS LOCK 0->T -> READ object            1       locks, named by the intents
 *             read set:   READ body -> READ LOCK -> READ VER
 *   lock late: everything is read first, and locked at commit
 *             READ body -> READ LOCK -> READ VER                                  1       nothing
 *             WRITE intent -> CAS LOCK 0->T -> READ VER                           1       locks
 *   unlink    {@link Unlinking}: WRITE intent -> CAS LOCK -> READ heads, count    0 or 1  locks
 *   validate  READ LOCK -> READ VER, only with a read set                         0 or 1  locks
 *   commit    {@link #toCommitPoint}, then {@link #afterCommitPoint}: the protocol's own
 * </pre>
 */
public abstract class RecordTxn extends RecordSteps implements Txn {
    /** The maximum number of accesses of one transaction; the largest of TPC-C reads 621 records. */
    public static final int MAX_ACCESSES = 640;

    /** The maximum number of READs of rows and buckets in the round of the locks; long chains use them up. */
    private static final int MAX_LOOKS = 4 * MAX_ACCESSES;

    /** The maximum log bytes of an object of the index: its pointer, its image, and steps of a descriptor. */
    private static final long INDEX_OBJECT_LOG_BYTES = 256;

    private static final long SCRATCH_BYTES = 1 << 20;

    /** Scratch memory reserved for {@link #isConsistent}, which is also called when the rest is used up. */
    private static final long LOOK_BYTES = 2L * Words.BYTES * MAX_ACCESSES;

    /** Value of {@link #awaiting}: no reads were sent in the round of the locks that are asked for. */
    private static final int NOTHING = -1;

    private enum State {
        ENDED,
        ACTIVE,
        ABORTED
    }

    private final RecordCoordinator coordinator;
    private final boolean locksEarly;
    private final Round round;
    private final ScratchMemory scratch;
    private final MemorySegment memory;
    private final RecordVerbs verbs;
    private final WriteSet writes;
    private final AddressHints addresses;
    private final BucketFinder lookup;
    private final LockPhase lockPhase;
    private final Unlinking unlinking;
    private final ReadPhase readPhase;
    private final AccessSet declared;
    private final Access[] accesses;
    private int executed;

    /** How many accesses were carried out to the end, so that their results can be asked for. */
    private int answered;

    private int awaiting = NOTHING;
    private int intents;
    private State state = State.ENDED;

    /** The attempt was given up because of what it asked for, and its reads were consistent until then. */
    private boolean consistentWhenGivenUp;

    /** All reads are valid, and everything that is written is locked. */
    private boolean validated;

    private long id;
    private AbortReason reason;
    private int blockingSession;

    /** @param locksEarly whether records to write are locked when they are read, and not only at commit */
    @SuppressWarnings("this-escape") // the phases keep it and do not use it before a transaction begins
    protected RecordTxn(RecordCoordinator coordinator, boolean locksEarly) {
        this.coordinator = coordinator;
        this.locksEarly = locksEarly;
        int replicas = coordinator.placement.replicas();
        int logs = 2 * coordinator.pool().nodes();
        int reads = MAX_LOOKS + 4 * WriteSet.MOST + logs;
        int commits = 3 * WriteSet.MOST * replicas + logs;
        round = coordinator.lane.round(Math.max(reads, commits));
        scratch = new ScratchMemory(coordinator.lane.landing(LOOK_BYTES + SCRATCH_BYTES));
        memory = scratch.memory();
        verbs = coordinator.newVerbs(memory);
        writes = new WriteSet(this);
        addresses = new AddressHints(this, coordinator);
        lookup = new BucketFinder(this, round, memory);
        lockPhase = new LockPhase(this, writes, round, memory, locksEarly);
        unlinking = new Unlinking(this, writes, lockPhase, round, memory);
        readPhase = new ReadPhase(this, writes, lookup, round, memory);
        declared = new AccessSet(this);
        accesses = declared.all();
    }

    final void begin(long newId) {
        Checks.invariant(state != State.ACTIVE, "a transaction ends before the next one begins");
        id = newId;
        state = State.ACTIVE;
        declared.clear();
        executed = 0;
        answered = 0;
        awaiting = NOTHING;
        writes.clear();
        intents = 0;
        consistentWhenGivenUp = false;
        validated = false;
        reason = null;
        blockingSession = 0;
        scratch.reset(LOOK_BYTES);
        round.discard();
        begun();
    }

    // ---- declarations

    @Override
    public final int read(TableHandle table, long key) {
        return declare(Access.Kind.READ, table, key);
    }

    @Override
    public final int update(TableHandle table, long key) {
        return declare(Access.Kind.UPDATE, table, key);
    }

    @Override
    public final int insert(TableHandle table, long key) {
        return declare(Access.Kind.INSERT, table, key);
    }

    @Override
    public final int put(TableHandle table, long key) {
        return declare(Access.Kind.PUT, table, key);
    }

    @Override
    public final int delete(TableHandle table, long key) {
        return declare(Access.Kind.DELETE, table, key);
    }

    private int declare(Access.Kind kind, TableHandle table, long key) {
        Checks.argument(state == State.ACTIVE, "the transaction has ended");
        return declared.add(kind, table, key, executed);
    }

    // ---- pipeline

    @Override
    public final boolean execute() {
        if (state != State.ACTIVE) return false;
        // An exception has cut the last execute off: its declarations were never carried out completely.
        if (answered < executed) return refuse(AbortReason.ROLLED_BACK);
        if (executed == declared.count()) return true;
        int from = executed;
        executed = declared.count();
        try {
            coordinator.reuse();
            if (!beforeLookup(from) || !lookup(from) || !(locksEarly ? lockAndRead(from) : readFirst(from)))
                return false;
            for (int i = from; i < executed; i++) finish(accesses[i]);
            answered = executed;
            return true;
        } catch (FabricException e) {
            throw broken(e);
        } catch (StoreException e) {
            giveUp(AbortReason.ROLLED_BACK); // otherwise the other declarations could still commit
            throw e;
        }
    }

    /** Applies the effect of several declarations of one key, now that its value has landed. */
    private void finish(Access a) {
        if (a.record == null) return;
        if (a.before != null) a.record.flags = ObjectLayout.flags(a.table.id(), a.kind != Access.Kind.DELETE);
        if (!a.clears || a.kind == Access.Kind.DELETE) return;
        long value = valueOf(a);
        // Byte by byte: a slice to fill would be an object.
        for (long at = 0; at < a.table.valueBytes(); at++) memory.set(ValueLayout.JAVA_BYTE, value + at, (byte) 0);
    }

    @Override
    public final Outcome commit() {
        Checks.argument(state != State.ENDED, "the transaction has ended");
        if (!execute()) return Outcome.ABORTED;
        try {
            if (!locksEarly && !lockLate()) return Outcome.ABORTED;
            if (!unlinking.run()) return Outcome.ABORTED;
            if (!validate()) return Outcome.ABORTED;
            validated = true;
        } catch (FabricException e) {
            throw broken(e);
        }
        if (writes.count() == 0) {
            state = State.ENDED;
            return Outcome.COMMITTED;
        }
        try {
            toCommitPoint(coordinator.slot());
        } catch (FabricException e) {
            coordinator.broke(e.getMessage());
            state = State.ENDED;
            return Outcome.UNKNOWN;
        }
        // ---- commit point: from here on recovery only goes forward ----
        state = State.ENDED;
        try {
            afterCommitPoint(coordinator.slot());
        } catch (FabricException e) {
            coordinator.broke(e.getMessage()); // committed anyway: recovery does the rest
        }
        coordinator.nextSlot();
        addresses.learn(accesses, declared.count());
        return Outcome.COMMITTED;
    }

    /**
     * Reads objects again that were not accepted. Returns true if all are accepted; otherwise the attempt was aborted.
     */
    protected final boolean readAgain(int from) {
        if (!lookup.resolve(accesses, from, declared.count())) return false;
        if (!readPhase.post(accesses, from, declared.count())) return true;
        besideReads(from);
        Step.READ.on(round).post().await();
        return readPhase.accept(accesses, from, declared.count());
    }

    /**
     * Repeats the reads that were sent in the round of locks of which some were not granted: their results are as old
     * as the wait for the locks. They are sent in the round that is expected to bring the last of these locks, after
     * it.
     */
    protected final void repostReadsWithLocks() {
        if (awaiting == NOTHING) return;
        readPhase.post(accesses, awaiting, declared.count());
        readChains(awaiting, true);
    }

    /**
     * Whether every record that was only read is unchanged; all locks are held. Returns false if the attempt was
     * aborted.
     */
    protected boolean validate() {
        return readPhase.validate(accesses, declared.count());
    }

    /**
     * Validates the read set, and checks that everything written is unchanged since it was read. For locks that were
     * taken without reading the version.
     */
    protected final boolean validateAll() {
        return readPhase.validateAll(accesses, declared.count());
    }

    /** Whether some read has to be validated before this transaction commits. */
    protected final boolean needsValidation() {
        return readPhase.isNeeded(accesses, declared.count());
    }

    @Override
    public final boolean isConsistent() {
        if (state != State.ACTIVE) return consistentWhenGivenUp;
        if (validated || readsSnapshot()) return true;
        round.discard(); // an exception may have left it incomplete
        try {
            return readPhase.isConsistent(accesses, answered, 0);
        } catch (FabricException e) {
            throw broken(e);
        }
    }

    /**
     * Ends the attempt because of what it asks for. Only now is it known whether the application asked for it because
     * of consistent reads.
     */
    protected final void giveUp(AbortReason why) {
        if (state != State.ACTIVE) return;
        boolean consistent = isConsistent();
        if (state == State.ACTIVE) refuse(why);
        consistentWhenGivenUp = consistent;
    }

    @Override
    public final void rollback() {
        if (state == State.ACTIVE) refuse(AbortReason.ROLLED_BACK);
        state = State.ENDED;
    }

    // ---- lookup

    private boolean lookup(int from) {
        addresses.recall(accesses, from, declared.count());
        for (int i = from; i < declared.count(); i++) if (seesBucket(accesses[i])) accesses[i].resolved = false;
        return lookup.resolve(accesses, from, declared.count());
    }

    /**
     * Whether a record that is already written is deleted now, under a protocol that has to read its bucket for that.
     */
    private boolean seesBucket(Access a) {
        if (a.before == null || a.kind != Access.Kind.DELETE || a.before.head != null) return false;
        return !mayBeCached(a);
    }

    private boolean plan(int from) {
        boolean locksReads = locksReads();
        for (int i = from; i < declared.count(); i++) {
            Access a = accesses[i];
            if (!lockPhase.plan(a, locksReads || locksRead(a))) return false;
            if (a.before != null || !a.writes()) continue;
            if (!mayWrite(a.table, Pointer.partition(a.found ? a.pointer : a.chain[0]))) return false;
        }
        return true;
    }

    // ---- lock and read, in one trip

    private boolean lockAndRead(int from) {
        if (!plan(from)) return false;
        boolean locks = lockPhase.post();
        boolean any = readPhase.post(accesses, from, declared.count());
        any |= locks;
        any |= readChains(from, false);
        if (any) {
            (locks ? Step.LOCK : Step.READ).on(round).post().await();
            awaiting = from;
            if (!lockPhase.granted()) return false;
            awaiting = NOTHING;
        }
        // Also if there is nothing new to lock: a stale address may lead to an object that we hold for another key.
        for (int i = from; i < declared.count(); i++) if (!lockPhase.confirm(accesses[i])) return false;
        return readPhase.accept(accesses, from, declared.count())
                && lockPhase.overflow(accesses, from, declared.count())
                && afterReads(from);
    }

    /** @param again whether the chains were read before, while another transaction held the lock of a head */
    private boolean readChains(int from, boolean again) {
        boolean any = false;
        int verbs = 0;
        for (int i = from; i < declared.count(); i++) verbs += accesses[i].isInsert() ? accesses[i].chainLength : 3;
        if (verbs > MAX_LOOKS) throw tooLarge("READs with its locks", MAX_LOOKS);
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

    // ---- or read first, and lock at commit

    private boolean readFirst(int from) {
        if (!plan(from)) return false;
        if (!readPhase.post(accesses, from, declared.count())) return afterReads(from);
        Step.READ.on(round).post().await();
        return readPhase.accept(accesses, from, declared.count()) && afterReads(from);
    }

    private boolean lockLate() {
        if (!lockPhase.post()) return true;
        readEmptied(0, false);
        Step.LOCK.on(round).post().await();
        return lockPhase.granted() && lockPhase.overflow(accesses, 0, declared.count());
    }

    void rememberAddress(Access a) {
        addresses.remember(a);
    }

    protected final void forgetAddress(Access a) {
        addresses.forget(a);
    }

    /** Whether {@code objects} more objects of the index can be written and logged. */
    boolean hasRoomFor(int objects) {
        long bytes = ImageLog.bytes(writes) + objects * INDEX_OBJECT_LOG_BYTES;
        return writes.count() + objects <= WriteSet.MOST
                && intents + objects <= LogLayout.INTENTS
                && bytes <= coordinator.logSlotBytes();
    }

    long nextIntent() {
        if (intents == LogLayout.INTENTS) throw tooLarge("locks", LogLayout.INTENTS);
        return coordinator.intent(intents++);
    }

    // ---- aborting

    /**
     * Ends the attempt. Every lock that is provably ours is released in the background, and no other lock is touched.
     */
    protected boolean refuse(AbortReason why) {
        reason = why;
        state = State.ABORTED;
        try {
            Round release = coordinator.abortRound();
            boolean any = false;
            for (int i = 0; i < writes.count(); i++) any |= verbs.abort(release, writes.get(i));
            if (any) Step.ABORT.on(release).postInBackground();
        } catch (FabricException e) {
            throw broken(e);
        }
        writes.clear();
        return false;
    }

    private FabricException broken(FabricException e) {
        coordinator.broke(e.getMessage());
        state = State.ENDED;
        return e;
    }

    // ---- accessors

    @Override
    public final boolean isExecuted(int access) {
        return AccessNumber.index(access) < answered;
    }

    @Override
    public final boolean found(int access) {
        Access a = executedAccess(access);
        int presence = AccessNumber.presence(access);
        return presence == AccessNumber.AS_IN_POOL ? a.found : presence == AccessNumber.PRESENT;
    }

    @Override
    public final boolean writes(int access) {
        Access a = executedAccess(access);
        if (!a.writes()) return false;
        return switch (AccessNumber.kind(access, a.first)) {
            case READ -> false;
            case UPDATE, DELETE -> found(access);
            case INSERT -> !found(access);
            case PUT -> true;
        };
    }

    @Override
    public final MemorySegment memory() {
        return memory;
    }

    @Override
    public final long value(int access) {
        Access a = executedAccess(access);
        while (a.later != null && a.later.index < answered) a = a.later;
        if (!a.writes() && !a.found)
            throw new IllegalStateException("key " + a.key + " of table " + a.table.name() + " was not found");
        return valueOf(a);
    }

    /** Returns where the value of an access lies that was found or is written. */
    protected long valueOf(Access a) {
        return a.writes() ? a.record.staged + ObjectLayout.BODY_CONTENT : a.landed + ObjectLayout.CONTENT;
    }

    @Override
    public final long version(int access) {
        Access a = executedAccess(access);
        if (a.writes() && AccessNumber.presence(access) != AccessNumber.AS_IN_POOL) return id;
        if (a.isInsert()) return bucketVersion(access);
        return a.writes() ? a.record.version(memory) : a.versionSeen;
    }

    @Override
    public final long bucketVersion(int access) {
        Access a = executedAccess(access);
        Checks.argument(a.head != null, "the access neither inserts nor deletes");
        return locksEarly ? a.head.version(memory) : a.head.expected;
    }

    private Access executedAccess(int access) {
        int index = AccessNumber.index(access);
        Checks.argument(access >= 0 && index < executed, "the access was not executed yet");
        return accesses[index];
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final AbortReason abortReason() {
        return reason;
    }

    @Override
    public final int blockingSession() {
        return blockingSession;
    }

    protected final ReadCounts counts() {
        return coordinator.counts();
    }

    protected final boolean isActive() {
        return state == State.ACTIVE;
    }

    protected final boolean holdsLocks() {
        for (int i = 0; i < writes.count(); i++) if (writes.get(i).held) return true;
        return false;
    }

    // ---- for protocols

    protected final RecordVerbs verbs() {
        return verbs;
    }

    protected final WriteSet writes() {
        return writes;
    }

    /** Returns the round of the critical path; it is built and awaited within one phase. */
    protected final Round round() {
        return round;
    }

    /** Returns the log slot of this transaction. */
    protected final int logSlot() {
        return coordinator.slot();
    }

    /** Returns the i-th access that was declared. */
    protected final Access access(int i) {
        return accesses[i];
    }

    protected final int accesses() {
        return declared.count();
    }

    protected final void blockedBy(long lockOrVersion) {
        blockingSession = TxnId.session(lockOrVersion);
    }

    protected final void blockedBySession(int session) {
        blockingSession = session;
    }

    final Region primary(long pointer) {
        return coordinator.pool().primary(pointer);
    }

    /** Takes local memory until this transaction ends. A transaction that needs too much is refused. */
    public final long take(long bytes) {
        long at = scratch.take(bytes);
        if (at < 0) throw tooLarge("bytes of local memory", SCRATCH_BYTES);
        return at;
    }

    protected final TxnTooLargeException tooLarge(String what, long most) {
        giveUp(AbortReason.ROLLED_BACK);
        return new TxnTooLargeException("a transaction has at most " + most + " " + what);
    }
}
