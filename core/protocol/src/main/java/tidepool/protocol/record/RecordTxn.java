package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.PageTxn;
import tidepool.protocol.RowPage;
import tidepool.protocol.Step;
import tidepool.protocol.TxnRoom;
import tidepool.protocol.TxnTooLargeException;
import tidepool.schema.KeySchema;
import tidepool.schema.RowKey;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.ScratchMemory;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;

/**
 * A transaction on records: declares, looks up, locks, reads, validates and aborts. A protocol puts these steps and its
 * own in order: {@link #execute(int)} and {@link #pipeline}. Where protocols differ within a step, they choose a
 * strategy: {@link Visibility}, {@link LockPolicy}, {@link LockPreamble}, {@link LockWait}, {@link WriteGate}.
 *
 * <pre>
 *   step      verbs (per connection; -> is an order kept for free by the fabric)  trips   a crash right after it leaves
 *   lookup    READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER     0 or 1  nothing
 *   lock      early, in one trip with the reads:
 *             WRITE intent -> CAS LOCK 0->T -> READ object                        1       locks, named by the intents
 *             late, when everything was read and the transaction commits:
 *             WRITE intent -> CAS LOCK 0->T -> READ VER                           1       locks
 *             {@link Unlinking}: WRITE intent -> CAS LOCK -> READ heads, count    0 or 1  locks
 *   read      READ body -> READ LOCK -> READ VER                                  0 or 1  nothing
 *   validate  READ LOCK -> READ VER, only with a read set                         0 or 1  locks
 *   abort     primary: WRITE LOCK=0 of every lock that is provably ours           later   some locks
 * </pre>
 */
public abstract class RecordTxn implements PageTxn {
    /** The number of accesses of a transaction of the small room. */
    public static final int MAX_ACCESSES = TxnRoom.SMALL.accesses();

    /** The READs of rows and buckets for which a round has memory from the start; long chains need more. */
    private static final int USUAL_LOOKS = 4 * MAX_ACCESSES;

    /** The maximum log bytes of an object of the index: its pointer, its image, and steps of a descriptor. */
    private static final long INDEX_OBJECT_LOG_BYTES = 256;

    /** Value of {@link #awaiting}: no reads were sent in the round of the locks that are asked for. */
    private static final int NOTHING = -1;

    private enum State {
        ENDED,
        ACTIVE,
        ABORTED
    }

    /** How far a commit has come; says what a failure of the fabric means. */
    private enum Marker {
        NONE,
        OUTCOME_OPEN,
        COMMIT_POINT
    }

    private final RecordCoordinator coordinator;
    private final TxnRoom room;

    /** Scratch memory reserved for {@link #isConsistent}, which is also called when the rest is used up. */
    private final long lookBytes;

    private final boolean locksEarly;
    private final Round round;
    private final ScratchMemory scratch;
    private final MemorySegment memory;
    private final RecordVerbs verbs;
    private final WriteSet writes;
    private final AddressHints hints;
    private final BucketFinder finder;
    private final LockPhase lockPhase;
    private final Unlinking unlinking;
    private final ReadPhase readPhase;
    private final AccessSet declared;
    private final BucketScan scan;
    private final Splitting splitting;
    private Visibility visibility = Visibility.CURRENT;
    private LockPolicy lockPolicy = LockPolicy.WRITES_ONLY;
    private LockPreamble lockPreamble = LockPreamble.NONE;
    private LockWait lockWait = LockWait.ABORT;
    private WriteGate writeGate = WriteGate.OPEN;
    private final Access[] accesses;
    private int executed;

    /** How many accesses were carried out to the end, so that their results can be asked for. */
    private int answered;

    private int awaiting = NOTHING;
    private int intents;

    /** How many declarations found no room. The attempt ends when they are to be carried out. */
    private int beyond;

    /** Set if the memory of this transaction is used until its background rounds have arrived. */
    private boolean settlesAtEnd;

    private State state = State.ENDED;
    private Marker marker = Marker.NONE;
    private Step step = Step.OTHER;

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
        int reads = USUAL_LOOKS + 4 * WriteSet.MAX_OBJECTS + logs;
        int commits = 3 * WriteSet.MAX_OBJECTS * replicas + logs;
        room = coordinator.room();
        lookBytes = 2L * Words.BYTES * room.accesses();
        round = coordinator.criticalRound(Math.max(reads, commits));
        scratch = new ScratchMemory(coordinator.lane.landing(lookBytes + room.bytes()));
        memory = scratch.memory();
        verbs = coordinator.newVerbs(memory);
        writes = new WriteSet(this, room);
        hints = new AddressHints(this, coordinator);
        finder = new BucketFinder(this, round, memory);
        lockPhase = new LockPhase(this, writes, round, memory, locksEarly);
        unlinking = new Unlinking(this, writes, lockPhase, round, memory);
        readPhase = new ReadPhase(this, writes, finder, round, memory);
        declared = new AccessSet(this, room);
        accesses = declared.all();
        scan = new BucketScan(this, declared, round, memory);
        splitting = new Splitting(this, scan, writes, round, memory);
    }

    // ---- strategies, which a protocol chooses in the constructor of its transaction

    protected final void visibility(Visibility chosen) {
        visibility = chosen;
    }

    protected final void lockPolicy(LockPolicy chosen) {
        lockPolicy = chosen;
    }

    protected final void lockPreamble(LockPreamble chosen) {
        lockPreamble = chosen;
    }

    protected final void lockWait(LockWait chosen) {
        lockWait = chosen;
    }

    protected final void writeGate(WriteGate chosen) {
        writeGate = chosen;
    }

    final Visibility visibility() {
        return visibility;
    }

    final LockPolicy lockPolicy() {
        return lockPolicy;
    }

    final LockPreamble lockPreamble() {
        return lockPreamble;
    }

    final LockWait lockWait() {
        return lockWait;
    }

    // ---- begin

    final void begin(long newId) {
        Checks.invariant(state != State.ACTIVE, "a transaction ends before the next one begins");
        id = newId;
        state = State.ACTIVE;
        step = Step.OTHER;
        declared.clear();
        splitting.clear();
        executed = 0;
        answered = 0;
        awaiting = NOTHING;
        writes.clear();
        intents = 0;
        beyond = 0;
        settlesAtEnd = false;
        consistentWhenGivenUp = false;
        validated = false;
        reason = null;
        blockingSession = 0;
        scratch.reset(lookBytes);
        round.discard();
    }

    // ---- declarations

    @Override
    public final int read(TableHandle table, long key) {
        return declare(Access.Kind.READ, table, key, null);
    }

    @Override
    public final int read(TableHandle table, RowKey key) {
        return declare(Access.Kind.READ, table, key);
    }

    @Override
    public final int update(TableHandle table, long key) {
        return declare(Access.Kind.UPDATE, table, key, null);
    }

    @Override
    public final int update(TableHandle table, RowKey key) {
        return declare(Access.Kind.UPDATE, table, key);
    }

    @Override
    public final int insert(TableHandle table, long key) {
        return declare(Access.Kind.INSERT, table, key, null);
    }

    @Override
    public final int insert(TableHandle table, RowKey key) {
        return declare(Access.Kind.INSERT, table, key);
    }

    @Override
    public final int put(TableHandle table, long key) {
        return declare(Access.Kind.PUT, table, key, null);
    }

    @Override
    public final int put(TableHandle table, RowKey key) {
        return declare(Access.Kind.PUT, table, key);
    }

    @Override
    public final int delete(TableHandle table, long key) {
        return declare(Access.Kind.DELETE, table, key, null);
    }

    @Override
    public final int delete(TableHandle table, RowKey key) {
        return declare(Access.Kind.DELETE, table, key);
    }

    private int declare(Access.Kind kind, TableHandle table, RowKey key) {
        if (!key.schema().equals(table.schema().key()))
            throw new IllegalArgumentException(
                    "a key of table " + table.name() + " is " + table.schema().key() + ", not " + key.schema());
        return declare(kind, table, key.word(), key.schema().isWide() ? key : null);
    }

    private int declare(Access.Kind kind, TableHandle table, long key, RowKey wide) {
        Checks.argument(state == State.ACTIVE, "the transaction has ended");
        if (beyond == 0) {
            try {
                return declared.add(kind, table, key, wide, executed);
            } catch (AttemptEnd e) {
                // Nothing is known of what is declared until it is carried out, and this will not be.
            }
        }
        // A loop that an inconsistent state misleads ends here.
        if (declared.count() + ++beyond > TxnRoom.LARGEST.accesses())
            throw tooLarge("accesses", TxnRoom.LARGEST.accesses());
        return AccessNumber.NONE;
    }

    // ---- pages

    @Override
    public boolean readPage(RowPage page) { // overridden by planted bugs
        Checks.argument(state == State.ACTIVE, "the transaction has ended");
        Checks.argument(declared.count() == 0, "a transaction that reads a page declares nothing else");
        try {
            coordinator.reuse();
            page.snapshot = visibility.hold(page.snapshot);
            at(Step.LOOKUP);
            return scan.run(page, page.snapshot) && execute();
        } catch (AttemptEnd e) {
            return end(e);
        } catch (FabricException e) {
            throw broken(e);
        } catch (StoreException e) {
            giveUp(AbortReason.ROLLED_BACK);
            throw e;
        } finally {
            visibility.letGo();
        }
    }

    @Override
    public final long keyWord(int access) {
        return executedAccess(access).key;
    }

    @Override
    public final RowKey key(int access, RowKey into) {
        Access a = executedAccess(access);
        return into.setFrom(memory, a.wideKey, a.key);
    }

    @Override
    public final long place(long bytes) {
        if (state != State.ACTIVE) return -1;
        try {
            return take(bytes);
        } catch (AttemptEnd e) {
            end(e);
            return -1;
        }
    }

    // ---- pipeline

    @Override
    public final boolean execute() {
        if (state != State.ACTIVE) return false;
        // An exception has cut the last execute off: its declarations were never carried out completely.
        if (answered < executed) return abort(AbortReason.ROLLED_BACK);
        if (beyond > 0) return endForDeclarations();
        if (executed == declared.count()) return true;
        int from = executed;
        executed = declared.count();
        try {
            coordinator.reuse();
            if (!execute(from)) return false;
            for (int i = from; i < executed; i++) finish(accesses[i]);
            answered = executed;
            return true;
        } catch (AttemptEnd e) {
            return end(e);
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
        marker = Marker.NONE;
        try {
            if (!pipeline(coordinator.slot())) return Outcome.ABORTED;
            if (isLarge()) coordinator.endLarge();
        } catch (AttemptEnd e) {
            end(e);
            return Outcome.ABORTED;
        } catch (FabricException e) {
            if (marker == Marker.NONE) throw broken(e);
            coordinator.markBroken(e.getMessage());
            if (marker == Marker.OUTCOME_OPEN) {
                state = State.ENDED;
                return Outcome.UNKNOWN;
            }
            // Committed anyway: recovery does the rest.
        }
        state = State.ENDED;
        coordinator.room(TxnRoom.SMALL);
        if (writes.isEmpty()) return Outcome.COMMITTED;
        coordinator.nextSlot();
        hints.learn(accesses, declared.count());
        return Outcome.COMMITTED;
    }

    /**
     * Looks up, locks and reads the accesses from {@code from} on, in the steps of the protocol. Waits for the memory
     * nodes. Returns false if the attempt was aborted.
     */
    protected abstract boolean execute(int from);

    /**
     * Commits: all steps from the locks that are left to the release, in the order of the protocol. {@link
     * #outcomeOpen} and {@link #commitPoint} mark what a failure of the fabric means. Waits for the memory nodes.
     * Returns false if the attempt was aborted.
     *
     * @param slot the log slot of this transaction
     */
    protected abstract boolean pipeline(int slot);

    /**
     * Marks that all locks are held and all reads are valid. From here on a failure of the fabric leaves the outcome
     * unknown. A write set that is too large may still be refused.
     */
    protected final void outcomeOpen() {
        validated = true;
        marker = Marker.OUTCOME_OPEN;
    }

    /**
     * Marks the commit point: the transaction has happened, whichever session or node fails, and recovery only goes
     * forward.
     */
    protected final void commitPoint() {
        marker = Marker.COMMIT_POINT;
        state = State.ENDED;
    }

    /** Enters a step of the protocol's table. Rounds of the critical path carry its name until the next step. */
    protected final void at(Step next) {
        step = next;
        next.on(round);
    }

    @Override
    public final String lastStep() {
        return step == Step.OTHER ? "" : step.toString();
    }

    /**
     * Reads objects again that were not accepted. Returns true if all are accepted; otherwise the attempt was aborted.
     */
    protected final boolean readAgain(int from) {
        return repostReads(from) ? awaitReads(from) : isActive();
    }

    /** Adds READs of objects that were not accepted. Returns false if there are none, or the attempt was aborted. */
    protected final boolean repostReads(int from) {
        return finder.resolve(accesses, from, declared.count()) && readPhase.post(accesses, from, declared.count());
    }

    /** Sends the READs that were added, and accepts what has landed. Returns false if the attempt was aborted. */
    protected final boolean awaitReads(int from) {
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
     * READ LOCK -> READ VER of every record that was only read, which has to be unchanged; all locks are held. Returns
     * false if the attempt was aborted.
     */
    protected boolean validate() {
        at(Step.VALIDATE);
        return readPhase.validate(accesses, declared.count());
    }

    /**
     * Validates the read set, and checks that everything written is unchanged since it was read. For locks that were
     * taken without reading the version.
     */
    protected final boolean validateAll() {
        at(Step.VALIDATE);
        return readPhase.validateAll(accesses, declared.count());
    }

    /** Whether some read has to be validated before this transaction commits. */
    protected final boolean needsValidation() {
        return readPhase.isNeeded(accesses, declared.count());
    }

    @Override
    public final boolean isConsistent() {
        if (state != State.ACTIVE) return consistentWhenGivenUp;
        if (validated || visibility.isOneSnapshot()) return true;
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
        if (state == State.ACTIVE) abort(why);
        consistentWhenGivenUp = consistent;
    }

    @Override
    public final void rollback() {
        if (state == State.ACTIVE) {
            abort(AbortReason.ROLLED_BACK);
            coordinator.room(TxnRoom.SMALL);
        }
        state = State.ENDED;
    }

    // ---- lookup

    /** READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER of keys whose address is not cached. */
    protected final boolean lookup(int from) {
        at(Step.LOOKUP);
        hints.recall(accesses, from, declared.count());
        for (int i = from; i < declared.count(); i++) if (seesBucket(accesses[i])) accesses[i].resolved = false;
        return finder.resolve(accesses, from, declared.count());
    }

    /**
     * Whether a record that is already written is deleted now, under a protocol that has to read its bucket for that.
     */
    private boolean seesBucket(Access a) {
        if (a.before == null || a.kind != Access.Kind.DELETE || a.before.head != null) return false;
        return !visibility.mayBeCached(a);
    }

    private boolean plan(int from) {
        lockPolicy.plan();
        for (int i = from; i < declared.count(); i++) {
            Access a = accesses[i];
            if (!lockPhase.plan(a, lockPolicy.locksRead(a))) return false;
            if (a.before != null || !a.writes()) continue;
            if (!writeGate.mayWrite(a.table, Pointer.partition(a.found ? a.pointer : a.chain[0]))) return false;
        }
        return true;
    }

    // ---- lock and read, in one trip

    /**
     * Write set: WRITE intent -> CAS LOCK 0->T -> READ object. Read set: READ body -> READ LOCK -> READ VER. For
     * protocols that lock early.
     */
    protected final boolean lockAndRead(int from) {
        at(Step.LOCK);
        if (!plan(from)) return false;
        boolean locks = lockPhase.post();
        boolean any = readPhase.post(accesses, from, declared.count());
        any |= locks;
        any |= readChains(from, false);
        if (any) {
            if (!locks) at(Step.READ);
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

    // ---- or read first, and lock at commit

    /** READ body -> READ LOCK -> READ VER of all accesses. For protocols that lock late. */
    protected final boolean read(int from) {
        at(Step.READ);
        if (!plan(from)) return false;
        if (!readPhase.post(accesses, from, declared.count())) return true;
        round.post().await();
        return readPhase.accept(accesses, from, declared.count());
    }

    /**
     * Takes the locks that are left at commit: WRITE intent -> CAS LOCK 0->T -> READ VER of everything that is written,
     * if locks are late; and those of overflow buckets that become empty.
     */
    protected final boolean lock() {
        at(Step.LOCK);
        return (locksEarly || lockWrites()) && splitting.apply() && unlinking.run() && reserveLog();
    }

    private boolean lockWrites() {
        if (!lockPhase.post()) return true;
        readEmptied(0, false);
        round.post().await();
        if (!lockPhase.granted()) return false;
        for (int i = 0; i < declared.count(); i++) if (!lockPhase.isItsHead(accesses[i])) return false;
        return lockPhase.overflow(accesses, 0, declared.count());
    }

    /** Reads the places of the areas of a table, which another session may have added. Waits for the catalog. */
    void learnAreas(TableLayout table) {
        coordinator.learnAreas(table);
    }

    /**
     * Returns an overflow bucket that is free, by its number. Another session may have given it back, from an area that
     * is not known here yet. Then waits for the catalog.
     */
    final long freeBucket(TableLayout table, int partition, long number) {
        if (number >= table.overflowRoom()) learnAreas(table);
        return table.overflowBucket(partition, number);
    }

    void rememberAddress(Access a) {
        hints.remember(a);
    }

    protected final void forgetAddress(Access a) {
        hints.forget(a);
    }

    /** Whether {@code objects} more objects of the index can be written and logged. Overridden by planted bugs. */
    protected boolean hasRoomFor(int objects) {
        if (isLarge()) return writes.count() + objects <= room.objects();
        long bytes = ImageLog.bytes(writes);
        // A log that lies in the heap in any case may be longer.
        if (bytes <= coordinator.logSlotBytes() || !heap().isThere()) bytes += objects * INDEX_OBJECT_LOG_BYTES;
        else bytes = 0;
        return writes.count() + objects <= WriteSet.MAX_OBJECTS
                && intents + objects <= LogLayout.INTENTS
                && bytes <= coordinator.logSlotBytes();
    }

    /** Returns where the intent of a lock goes: first into the area of the coordinator, then into the log heap. */
    long nextIntent(WriteTarget t) {
        if (intents < LogLayout.INTENTS) return coordinator.intent(intents++);
        if (!heap().isThere()) throw tooLarge("locks", LogLayout.INTENTS);
        return heap().intent(coordinator.placement.primary(Pointer.partition(t.pointer)));
    }

    // ---- the log heap

    /** Takes blocks of the log heap for the logs that do not fit their slots. Returns false if there are too few. */
    private boolean reserveLog() {
        if (writes.logBytes() <= coordinator.logSlotBytes()) return true;
        if (heap().isThere()) heap().reserve(this);
        else
            for (int node = 0; node < coordinator.pool().nodes(); node++)
                if (logBytes(node) > coordinator.logSlotBytes())
                    throw tooLarge("bytes of log", coordinator.logSlotBytes());
        return true;
    }

    /** Returns the bytes of the log on a node; 0 if there is none. */
    protected long logBytes(int node) {
        return ImageLog.bytes(writes, coordinator.placement, node);
    }

    /** Returns where the log of this transaction begins in the log region of a node. */
    protected final long logAt(int node, int slot) {
        return isLogInHeap(node) ? heap().logAt(node) : coordinator.logSlot(slot);
    }

    protected final boolean isLogInHeap(int node) {
        return coordinator.heap() != null && heap().hasLog(node);
    }

    /** Adds WRITE log of a node, from local memory, into its slot or its blocks of the log heap. */
    protected void writeLog(Round to, int node, int slot, long bytes, long log) {
        if (isLogInHeap(node)) heap().addLog(to, node, slot, bytes, log, verbs);
        else verbs.log(to, node, coordinator.logSlot(slot), bytes, log);
    }

    private LogHeap heap() {
        return coordinator.makeHeap();
    }

    /** Whether it has more room than nearly all transactions need, or uses the log heap. */
    protected final boolean isLarge() {
        return room != TxnRoom.SMALL || settlesAtEnd || coordinator.holdsBlocks();
    }

    /** Lets the end of this transaction wait for its background rounds, which send from its memory. */
    protected final void settlesAtEnd() {
        settlesAtEnd = true;
    }

    /** Whether a log of what is written so far fits its slot, and will hardly be followed by many others. */
    protected final boolean mayLogEarly() {
        return !isLarge() && writes.logBytes() <= coordinator.logSlotBytes();
    }

    /** Whether the objects that a lookup has seen may be logged before their locks are granted. */
    protected boolean logsWhatLookupsSee() {
        return false;
    }

    /** Returns the room of this object; the arrays of a protocol are as large. */
    protected final TxnRoom room() {
        return room;
    }

    // ---- growth

    final TableGrowth growth() {
        return coordinator.growth();
    }

    /** Whether this coordinator may write in a partition of a table. May wait for the memory nodes. */
    final boolean mayWrite(TableLayout table, int partition) {
        return writeGate.mayWrite(table, partition);
    }

    /**
     * Makes this transaction the split of a bucket, instead of declarations, and carries out all but its commit. Waits
     * for the memory nodes. If it returns {@link Splitting.Result#SPLIT}, the transaction may commit.
     */
    final Splitting.Result planSplit(TableLayout table, int partition, long expected) {
        try {
            coordinator.reuse();
            at(Step.LOOKUP);
            Splitting.Result result = splitting.plan(table, partition, expected);
            if (result != Splitting.Result.SPLIT) return result;
            executed = declared.count();
            if (!execute(0)) return Splitting.Result.GIVEN_UP;
            answered = executed;
            splitting.copyValues();
            return result;
        } catch (AttemptEnd e) {
            end(e);
            return Splitting.Result.GIVEN_UP;
        } catch (FabricException e) {
            throw broken(e);
        }
    }

    /** Tells a listener what the split is going to write that {@link #planSplit} has planned. */
    final void announceSplit(SplitListener to) {
        splitting.announce(to);
    }

    /** Called when a split has committed. */
    final void splitDone() {
        splitting.committed();
    }

    // ---- aborting

    /**
     * Ends the attempt. Every lock that is provably ours is released in the background, and no other lock is touched.
     */
    protected boolean abort(AbortReason why) {
        reason = why; // and the step stays the one that has failed
        state = State.ABORTED;
        try {
            Round release = coordinator.abortRound();
            boolean any = false;
            for (int i = 0; i < writes.count(); i++) any |= verbs.abort(release, writes.get(i));
            if (any) Step.ABORT.on(release).postInBackground();
            if (isLarge()) coordinator.endLarge();
        } catch (FabricException e) {
            throw broken(e);
        }
        writes.clear();
        return false;
    }

    // ---- room

    /** Ends an attempt for which this object is too small, or the log heap too busy. Nothing of it was sent. */
    private boolean end(AttemptEnd why) {
        round.discard();
        return abort(why.reason);
    }

    private boolean endForDeclarations() {
        grow(declared.count() + (long) beyond, 0, 0);
        return end(AttemptEnd.NEEDS_ROOM);
    }

    RuntimeException needsAccesses() {
        if (room.accesses() >= TxnRoom.LARGEST.accesses()) return tooLarge("accesses", room.accesses());
        return grow(declared.count() + 1L, 0, 0);
    }

    RuntimeException needsObjects() {
        if (!heap().isThere()) return tooLarge("objects to write", room.objects());
        if (room.objects() >= TxnRoom.LARGEST.objects()) return tooLarge("objects to write", room.objects());
        return grow(0, writes.count() + 1L, 0);
    }

    /** Lets the next attempt have more room: for what it was refused, and for what it has declared. */
    private AttemptEnd grow(long accessesNeeded, long objectsNeeded, long bytesNeeded) {
        long objects = 0;
        long bytes = 0;
        for (int i = 0; i < declared.count(); i++) {
            objects += accesses[i].usualObjects();
            bytes += accesses[i].usualBytes();
        }
        long all = Math.max(declared.count(), accessesNeeded);
        long known = Math.max(1, declared.count());
        coordinator.room(room.largerFor(
                all,
                Math.max(Math.max(writes.count(), objectsNeeded), objects * all / known),
                Math.max(Math.max(scratch.used() - lookBytes, bytesNeeded), bytes * all / known)));
        return AttemptEnd.NEEDS_ROOM;
    }

    private FabricException broken(FabricException e) {
        coordinator.markBroken(e.getMessage());
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
            throw new IllegalStateException("key " + keyText(a) + " of table " + a.table.name() + " was not found");
        return valueOf(a);
    }

    private String keyText(Access a) {
        KeySchema keys = a.table.schema().key();
        return keys.newKey().setFrom(memory, a.wideKey, a.key).toString();
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

    @Override
    public final long bucket(int access) {
        Access a = executedAccess(access);
        if (a.head != null) return a.head.pointer;
        Checks.argument(!a.found, "the access found its key, and neither inserts nor deletes");
        return a.witness;
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

    /** Makes the new bodies of everything that is written, in the name of this transaction. */
    protected final void sealBodies() {
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (t.written) ObjectLayout.seal(memory, t.staged, t.bodyBytes, t.key, t.flags, id);
        }
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

    /**
     * Takes local memory until this transaction ends. If there is none left, the attempt ends, and the next one has
     * more; a transaction that needs far too much is refused.
     */
    public final long take(long bytes) {
        long at = scratch.take(bytes);
        if (at < 0) throw needsBytes(bytes);
        return at;
    }

    private RuntimeException needsBytes(long bytes) {
        long needed = scratch.used() - lookBytes + bytes + Words.BYTES;
        if (needed > TxnRoom.LARGEST.bytes()) return tooLarge("bytes of local memory", TxnRoom.LARGEST.bytes());
        return grow(0, 0, Math.max(needed, room.bytes() + 1));
    }

    /** Makes the refusal of a log that is longer than all blocks of the log heap. */
    TxnTooLargeException tooLargeForHeap(long bytes, long max) {
        giveUp(AbortReason.ROLLED_BACK);
        return new TxnTooLargeException("a transaction logs at most " + max
                + " bytes on one node, the log heap of the pool (logheap= of its URL), and this one needs " + bytes);
    }

    protected final TxnTooLargeException tooLarge(String what, long max) {
        giveUp(AbortReason.ROLLED_BACK);
        return new TxnTooLargeException("a transaction has at most " + max + " " + what);
    }
}
