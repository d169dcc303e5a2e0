package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Checks;
import tidepool.fabric.FabricException;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.RowPage;
import tidepool.protocol.Step;
import tidepool.protocol.TxnRoom;
import tidepool.protocol.TxnTooLargeException;
import tidepool.store.ObjectLayout;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;

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
public abstract class RecordTxn extends DeclaredTxn {
    /** The number of accesses of a transaction of the small room. */
    public static final int MAX_ACCESSES = TxnRoom.SMALL.accesses();

    /** The READs of rows and buckets for which a round has memory from the start; long chains need more. */
    private static final int USUAL_LOOKS = 4 * MAX_ACCESSES;

    private final RecordCoordinator coordinator;
    private final boolean locksEarly;
    private final Round round;
    private final RecordVerbs verbs;
    private final AccessPhases phases;
    private final BucketScan scan;
    private final Splitting splitting;
    private final Unlinking unlinking;
    private final LogPlaces logs;
    private Visibility visibility = Visibility.CURRENT;
    private LockPolicy lockPolicy = LockPolicy.WRITES_ONLY;
    private LockPreamble lockPreamble = LockPreamble.NONE;
    private LockWait lockWait = LockWait.ABORT;
    private WriteGate writeGate = WriteGate.OPEN;
    private boolean lookupsSeeRows;

    /** Set if the memory of this transaction is used until its background rounds have arrived. */
    private boolean settlesAtEnd;

    /** @param locksEarly whether records to write are locked when they are read, and not only at commit */
    @SuppressWarnings("this-escape") // the phases keep it and do not use it before a transaction begins
    protected RecordTxn(RecordCoordinator coordinator, boolean locksEarly) {
        super(coordinator, locksEarly);
        this.coordinator = coordinator;
        this.locksEarly = locksEarly;
        int replicas = coordinator.placement.replicas();
        int logRegions = 2 * coordinator.pool().nodes();
        int reads = USUAL_LOOKS + 4 * WriteSet.MAX_OBJECTS + logRegions;
        int commits = 3 * WriteSet.MAX_OBJECTS * replicas + logRegions;
        MemorySegment memory = memory();
        round = coordinator.criticalRound(Math.max(reads, commits));
        verbs = coordinator.newVerbs(memory);
        LockPhase lockPhase = new LockPhase(this, writes, round, memory, locksEarly);
        phases = new AccessPhases(this, coordinator, lockPhase, round, memory);
        unlinking = new Unlinking(this, writes, lockPhase, round, memory);
        scan = new BucketScan(this, declared, round, memory);
        splitting = new Splitting(this, scan, writes, round, memory);
        logs = new LogPlaces(this, coordinator, writes);
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

    /** Lets lookups read whole rows, which may then be logged before their locks are granted. */
    protected final void lookupsSeeRows() {
        lookupsSeeRows = true;
    }

    final boolean doLookupsSeeRows() {
        return lookupsSeeRows;
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

    /** Whether this coordinator may write in a partition of a table. May wait for the memory nodes. */
    final boolean mayWrite(TableLayout table, int partition) {
        return writeGate.mayWrite(table, partition);
    }

    // ---- begin

    @Override
    final void begun() {
        phases.clear();
        splitting.clear();
        logs.clear();
        settlesAtEnd = false;
        round.discard();
    }

    // ---- execute

    @Override
    public final boolean execute() {
        if (!isActive()) return false;
        // An exception has cut the last execute off: its declarations were never carried out completely.
        if (declared.answered() < declared.executed()) return abort(AbortReason.ROLLED_BACK);
        if (hasRefusedDeclarations()) return end(needsRoomForDeclarations());
        if (declared.executed() == declared.count()) return true;
        int from = declared.execute();
        try {
            coordinator.reuse();
            if (!execute(from)) return false;
            for (int i = from; i < declared.executed(); i++) finish(access(i));
            declared.answer();
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

    /**
     * Looks up, locks and reads the accesses from {@code from} on, in the steps of the protocol. Waits for the memory
     * nodes. Returns false if the attempt was aborted.
     */
    protected abstract boolean execute(int from);

    /** Applies the effect of several declarations of one key, now that its value has landed. */
    private void finish(Access a) {
        if (a.record == null) return;
        if (a.before != null) a.record.flags = ObjectLayout.flags(a.table.id(), a.kind != Access.Kind.DELETE);
        if (!a.clears || a.kind == Access.Kind.DELETE) return;
        long value = valueOf(a);
        // Byte by byte: a slice to fill would be an object.
        for (long at = 0; at < a.table.valueBytes(); at++) memory().set(ValueLayout.JAVA_BYTE, value + at, (byte) 0);
    }

    @Override
    public boolean readPage(RowPage page) { // overridden by planted bugs
        Checks.argument(isActive(), "the transaction has ended");
        Checks.argument(accesses() == 0, "a transaction that reads a page declares nothing else");
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
    public final long place(long bytes) {
        if (!isActive()) return -1;
        try {
            return take(bytes);
        } catch (AttemptEnd e) {
            end(e);
            return -1;
        }
    }

    // ---- commit

    @Override
    public final Outcome commit() {
        Checks.argument(!attempt.hasEnded(), "the transaction has ended");
        if (!execute()) return Outcome.ABORTED;
        try {
            if (!pipeline(coordinator.slot())) return Outcome.ABORTED;
            if (isLarge()) coordinator.endLarge();
        } catch (AttemptEnd e) {
            end(e);
            return Outcome.ABORTED;
        } catch (FabricException e) {
            if (attempt.isUndecided()) throw broken(e);
            coordinator.markBroken(e.getMessage());
            if (attempt.isOutcomeOpen()) {
                attempt.end();
                return Outcome.UNKNOWN;
            }
            // Committed anyway: recovery does the rest.
        }
        attempt.end();
        coordinator.room(TxnRoom.SMALL);
        if (writes.isEmpty()) return Outcome.COMMITTED;
        coordinator.nextSlot();
        phases.learnAddresses();
        return Outcome.COMMITTED;
    }

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
        attempt.outcomeOpen();
    }

    /**
     * Marks the commit point: the transaction has happened, whichever session or node fails, and recovery only goes
     * forward.
     */
    protected final void commitPoint() {
        attempt.commitPoint();
    }

    // ---- abort

    /**
     * Ends the attempt. Every lock that is provably ours is released in the background, and no other lock is touched.
     */
    protected boolean abort(AbortReason why) {
        attempt.abort(why);
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

    @Override
    public final void rollback() {
        if (isActive()) {
            abort(AbortReason.ROLLED_BACK);
            coordinator.room(TxnRoom.SMALL);
        }
        attempt.end();
    }

    @Override
    public final boolean isConsistent() {
        if (!isActive()) return attempt.wasConsistentWhenGivenUp();
        if (attempt.isValidated() || visibility.isOneSnapshot()) return true;
        round.discard(); // an exception may have left it incomplete
        try {
            return phases.isConsistent();
        } catch (FabricException e) {
            throw broken(e);
        }
    }

    /**
     * Ends the attempt because of what it asks for. Only now is it known whether the application asked for it because
     * of consistent reads.
     */
    @Override
    protected final void giveUp(AbortReason why) {
        if (!isActive()) return;
        boolean consistent = isConsistent();
        if (isActive()) abort(why);
        attempt.givenUp(consistent);
    }

    /** Ends an attempt for which this object is too small, or the log heap too busy. Nothing of it was sent. */
    private boolean end(AttemptEnd why) {
        round.discard();
        return abort(why.reason);
    }

    private FabricException broken(FabricException e) {
        coordinator.markBroken(e.getMessage());
        attempt.end();
        return e;
    }

    protected final boolean isActive() {
        return attempt.isActive();
    }

    protected final boolean holdsLocks() {
        for (int i = 0; i < writes.count(); i++) if (writes.get(i).held) return true;
        return false;
    }

    protected final void blockedBy(long lockOrVersion) {
        attempt.blockedBy(lockOrVersion);
    }

    protected final void blockedBySession(int session) {
        attempt.blockedBySession(session);
    }

    // ---- steps that protocols share

    /** Enters a step of the protocol's table. Rounds of the critical path carry its name until the next step. */
    protected final void at(Step next) {
        attempt.at(next);
        next.on(round);
    }

    /** READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER of keys whose address is not cached. */
    protected final boolean lookup(int from) {
        at(Step.LOOKUP);
        return phases.lookup(from);
    }

    /**
     * Write set: WRITE intent -> CAS LOCK 0->T -> READ object. Read set: READ body -> READ LOCK -> READ VER. For
     * protocols that lock early.
     */
    protected final boolean lockAndRead(int from) {
        at(Step.LOCK);
        return phases.lockAndRead(from);
    }

    /** READ body -> READ LOCK -> READ VER of all accesses. For protocols that lock late. */
    protected final boolean read(int from) {
        at(Step.READ);
        return phases.read(from);
    }

    /**
     * Takes the locks that are left at commit: WRITE intent -> CAS LOCK 0->T -> READ VER of everything that is written,
     * if locks are late; and those of overflow buckets that become empty.
     */
    protected final boolean lock() {
        at(Step.LOCK);
        if (!locksEarly && !phases.lockWrites()) return false;
        if (!splitting.apply() || !unlinking.run()) return false;
        logs.reserve();
        return true;
    }

    /**
     * READ LOCK -> READ VER of every record that was only read, which has to be unchanged; all locks are held. Returns
     * false if the attempt was aborted.
     */
    protected boolean validate() {
        at(Step.VALIDATE);
        return phases.validate();
    }

    /**
     * Validates the read set, and checks that everything written is unchanged since it was read. For locks that were
     * taken without reading the version.
     */
    protected final boolean validateAll() {
        at(Step.VALIDATE);
        return phases.validateAll();
    }

    /** Whether some read has to be validated before this transaction commits. */
    protected final boolean needsValidation() {
        return phases.needsValidation();
    }

    /**
     * Reads objects again that were not accepted. Returns true if all are accepted; otherwise the attempt was aborted.
     */
    protected final boolean readAgain(int from) {
        return repostReads(from) ? awaitReads(from) : isActive();
    }

    /** Adds READs of objects that were not accepted. Returns false if there are none, or the attempt was aborted. */
    protected final boolean repostReads(int from) {
        return phases.repostReads(from);
    }

    /** Sends the READs that were added, and accepts what has landed. Returns false if the attempt was aborted. */
    protected final boolean awaitReads(int from) {
        return phases.awaitReads(from);
    }

    /**
     * Repeats the reads that were sent in the round of locks of which some were not granted: their results are as old
     * as the wait for the locks. They are sent in the round that is expected to bring the last of these locks, after
     * it.
     */
    protected final void repostReadsWithLocks() {
        phases.repostReadsWithLocks();
    }

    /** Makes the new bodies of everything that is written, in the name of this transaction. */
    protected final void sealBodies() {
        MemorySegment memory = memory();
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (t.written) ObjectLayout.seal(memory, t.staged, t.bodyBytes, t.key, t.flags, id());
        }
    }

    // ---- growth of tables

    final TableGrowth growth() {
        return coordinator.growth();
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
            if (!execute(declared.execute())) return Splitting.Result.GIVEN_UP;
            declared.answer();
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

    // ---- addresses

    final Region primary(long pointer) {
        return coordinator.pool().primary(pointer);
    }

    void rememberAddress(Access a) {
        phases.rememberAddress(a);
    }

    protected final void forgetAddress(Access a) {
        phases.forgetAddress(a);
    }

    // ---- room

    /** Returns the room of this object; the arrays of a protocol are as large. */
    protected final TxnRoom room() {
        return attemptRoom.size();
    }

    /**
     * Takes local memory until this transaction ends. If there is none left, the attempt ends, and the next one has
     * more; a transaction that needs far too much is refused.
     */
    public final long take(long bytes) {
        return attemptRoom.take(bytes);
    }

    protected final TxnTooLargeException tooLarge(String what, long max) {
        return attemptRoom.tooLarge(what, max);
    }

    /** Whether it has more room than nearly all transactions need, or uses the log heap. */
    protected final boolean isLarge() {
        return room() != TxnRoom.SMALL || settlesAtEnd || coordinator.holdsBlocks();
    }

    /** Lets the end of this transaction wait for its background rounds, which send from its memory. */
    protected final void settlesAtEnd() {
        settlesAtEnd = true;
    }

    /** Whether {@code objects} more objects of the index can be written and logged. Overridden by planted bugs. */
    protected boolean hasRoomFor(int objects) {
        return logs.hasRoomFor(objects);
    }

    // ---- logs

    /** Returns where the intent of a lock goes. */
    final long nextIntent(WriteTarget t) {
        return logs.nextIntent(t);
    }

    /** Returns the bytes of the log on a node; 0 if there is none. */
    protected long logBytes(int node) {
        return ImageLog.bytes(writes, coordinator.placement, node);
    }

    /** Returns where the log of this transaction begins in the log region of a node. */
    protected final long logAt(int node, int slot) {
        return logs.at(node, slot);
    }

    protected final boolean isLogInHeap(int node) {
        return logs.isInHeap(node);
    }

    /** Adds WRITE log of a node, from local memory, into its slot or its blocks of the log heap. */
    protected final void writeLog(Round to, int node, int slot, long bytes, long log) {
        logs.write(to, node, slot, bytes, log);
    }

    /** Whether a log of what is written so far fits its slot, and will hardly be followed by many others. */
    protected final boolean mayLogEarly() {
        return !isLarge() && logs.fitsSlot();
    }

    /** Returns the log slot of this transaction. */
    protected final int logSlot() {
        return coordinator.slot();
    }

    // ---- for protocols

    protected final RecordVerbs verbs() {
        return verbs;
    }

    /** Returns the round of the critical path; it is built and awaited within one phase. */
    protected final Round round() {
        return round;
    }

    protected final ReadCounts counts() {
        return coordinator.counts();
    }
}
