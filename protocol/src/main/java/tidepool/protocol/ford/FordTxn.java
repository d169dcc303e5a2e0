package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.fabric.FabricException;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Outcome;
import tidepool.protocol.TransactionTooLargeException;
import tidepool.protocol.Txn;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.Scratch;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;

/**
 * A transaction of FORD (journal version, §4), corrected: {@code docs/protocols/ford.md} says where and why.
 *
 * <pre>
 *   phase      verbs (per connection; -> is an order that the fabric keeps for free)        trips   a crash right after it leaves
 *   lookup     READ head.VER -> READ bucket -> READ head.LOCK -> READ head.VER              0 or 1  nothing
 *   lock       write set:  WRITE intent -> CAS LOCK 0->T -> READ object (§4.2)                1     locks      -> freed
 *              read set:   READ body -> READ LOCK -> READ VER
 *   validate   READ LOCK -> READ VER, only with a read set                                  0 or 1  locks      -> freed
 *   commit     each replica: WRITE undo log -> (WRITE VER={INV,T} -> WRITE body) (§4.3)       1     log, some images -> finished
 *                                                                                                   if all are there, else undone
 *   ---- commit point: all acknowledged ----
 *   release    primary: WRITE VER={0,T} -> WRITE LOCK=0; backup: CAS VER {INV,T}->{0,T}     behind  some locks -> finished
 * </pre>
 */
public final class FordTxn implements Txn {
    private static final int MOST_ACCESSES = 256;
    private static final long SCRATCH_BYTES = 1 << 20;

    private enum State {
        ENDED,
        ACTIVE,
        ABORTED
    }

    private final FordCoordinator coordinator;
    private final Round round;
    private final Scratch scratch;
    private final MemorySegment memory;
    private final FordVerbs verbs;
    private final WriteSet writes;
    private final Lookup lookup;
    private final LockPhase lockPhase;
    private final ReadPhase readPhase;
    private final CommitPhase commitPhase;
    private final Access[] accesses = new Access[MOST_ACCESSES];
    private int accessCount;
    private int executed;
    private int intents;
    private int logSlot;
    private State state = State.ENDED;
    private long id;
    private AbortReason reason;
    private int blockingSession;

    FordTxn(FordCoordinator coordinator) {
        this.coordinator = coordinator;
        int replicas = coordinator.placement.replicas();
        int reads = 4 * MOST_ACCESSES + 3 * WriteSet.MOST;
        int commits = 2 * WriteSet.MOST * replicas + coordinator.pool().nodes();
        round = coordinator.lane.round(Math.max(reads, commits));
        scratch = new Scratch(coordinator.lane.landing(SCRATCH_BYTES));
        memory = scratch.memory();
        verbs = coordinator.newVerbs(memory);
        writes = new WriteSet(this);
        lookup = new Lookup(this, round, memory);
        lockPhase = new LockPhase(this, writes, round, memory);
        readPhase = new ReadPhase(this, writes, lookup, round, memory);
        commitPhase = new CommitPhase(this, coordinator, writes, round, memory);
        for (int i = 0; i < accesses.length; i++) accesses[i] = new Access();
    }

    void begin(long newId) {
        Checks.invariant(state != State.ACTIVE, "a transaction ends before the next one begins");
        id = newId;
        state = State.ACTIVE;
        accessCount = 0;
        executed = 0;
        writes.clear();
        intents = 0;
        reason = null;
        blockingSession = 0;
        scratch.reset(0);
        round.discard();
    }

    // ---- declaring

    @Override
    public int read(TableInfo table, long key) {
        return declare(Access.Kind.READ, table, key);
    }

    @Override
    public int update(TableInfo table, long key) {
        return declare(Access.Kind.UPDATE, table, key);
    }

    @Override
    public int insert(TableInfo table, long key) {
        return declare(Access.Kind.INSERT, table, key);
    }

    @Override
    public int put(TableInfo table, long key) {
        return declare(Access.Kind.PUT, table, key);
    }

    @Override
    public int delete(TableInfo table, long key) {
        return declare(Access.Kind.DELETE, table, key);
    }

    private int declare(Access.Kind kind, TableInfo table, long key) {
        Checks.argument(state == State.ACTIVE, "the transaction has ended");
        for (int i = accessCount - 1; i >= 0; i--) {
            Access known = accesses[i];
            if (known.key != key || known.table.id() != table.id()) continue;
            int covers = again(i, known, kind);
            if (covers >= 0) return covers;
            break;
        }
        if (accessCount == MOST_ACCESSES) throw tooLarge("accesses", MOST_ACCESSES);
        Access a = accesses[accessCount];
        a.kind = kind;
        a.table = table;
        a.key = key;
        a.pointer = Pointer.NOWHERE;
        a.found = false;
        a.landed = -1;
        a.record = null;
        a.witness = Pointer.NOWHERE;
        a.versionSeen = 0;
        a.resolved = false;
        a.overflows = false;
        a.bucketLanded = -1;
        a.readLanded = -1;
        return accessCount++;
    }

    /**
     * A key that this transaction has declared before. A write covers what is declared after it; a read that was carried
     * out stays in the read set, and the write that follows it is an access of its own (-1), so that a change between
     * the two is noticed.
     */
    private int again(int i, Access known, Access.Kind kind) {
        if (kind == Access.Kind.READ || kind == known.kind) return i;
        boolean pending = i >= executed;
        boolean wrote = pending || known.writes();
        if (known.kind == Access.Kind.READ || !wrote) {
            if (!pending) return -1;
            known.kind = kind;
            return i;
        }
        boolean covered = kind != Access.Kind.DELETE && kind != Access.Kind.INSERT && known.kind != Access.Kind.DELETE;
        if (covered && known.kind != Access.Kind.UPDATE || covered && kind == Access.Kind.PUT && !pending) return i;
        throw new IllegalArgumentException("key " + known.key + " of table " + known.table.name() + " was declared as "
                + known.kind + " and cannot become " + kind + " in the same transaction");
    }

    // ---- the pipeline

    @Override
    public boolean execute() {
        if (state != State.ACTIVE) return false;
        if (executed == accessCount) return true;
        int from = executed;
        executed = accessCount;
        try {
            return lookup(from) && lock(from);
        } catch (FabricException e) {
            throw broken(e);
        }
    }

    @Override
    public Outcome commit() {
        Checks.argument(state != State.ENDED, "the transaction has ended");
        if (!execute()) return Outcome.ABORTED;
        try {
            if (!readPhase.validate(accesses, accessCount)) return Outcome.ABORTED;
        } catch (FabricException e) {
            throw broken(e);
        }
        if (writes.count() == 0) {
            state = State.ENDED;
            return Outcome.COMMITTED;
        }
        commitPhase.prepare();
        try {
            coordinator.releaseOf(logSlot);
            commitPhase.write(logSlot);
        } catch (FabricException e) {
            coordinator.broke();
            state = State.ENDED;
            return Outcome.UNKNOWN;
        }
        // ---- commit point: every replica holds log and image; from here on recovery only goes forward ----
        state = State.ENDED;
        try {
            commitPhase.release(coordinator.releaseOf(logSlot));
        } catch (FabricException e) {
            coordinator.broke(); // committed all the same: recovery does the release
        }
        logSlot = (logSlot + 1) % LogLayout.SLOTS;
        learnAddresses();
        return Outcome.COMMITTED;
    }

    @Override
    public void rollback() {
        if (state == State.ACTIVE) refuse(AbortReason.ROLLED_BACK);
        state = State.ENDED;
    }

    // ---- lookup

    private boolean lookup(int from) {
        for (int i = from; i < accessCount; i++) {
            Access a = accesses[i];
            long cached = a.kind == Access.Kind.INSERT
                    ? Pointer.NOWHERE
                    : coordinator.cache(a.table).find(a.key);
            if (cached == Pointer.NOWHERE) continue;
            a.pointer = cached;
            a.found = true;
            a.resolved = true;
        }
        return lookup.resolve(accesses, from, accessCount);
    }

    // ---- lock and read, in one trip

    private boolean lock(int from) {
        int first = writes.count();
        for (int i = from; i < accessCount; i++) lockPhase.plan(accesses[i]);
        postLocks(first);
        boolean any = readPhase.post(accesses, from, accessCount) || writes.count() > first;
        for (int i = from; i < accessCount; i++) {
            if (!accesses[i].isInsert()) continue;
            lockPhase.readChainAgain(accesses[i]);
            any = true;
        }
        if (any) {
            round.post().await();
            if (!lockPhase.granted(first)) return false;
        }
        // Also with nothing new to lock: a stale address may lead to an object that we hold for another key.
        for (int i = from; i < accessCount; i++) if (!lockPhase.confirm(accesses[i])) return false;
        return readPhase.accept(accesses, from, accessCount) && lockPhase.overflow(accesses, from, accessCount);
    }

    void postLocks(int first) {
        if (intents + writes.count() - first > LogLayout.INTENTS) throw tooLarge("locks", LogLayout.INTENTS);
        for (int i = first; i < writes.count(); i++)
            verbs.lock(round, writes.get(i), id, coordinator.intent(intents++));
    }

    // ---- addresses

    void rememberAddress(Access a) {
        coordinator.cache(a.table).put(a.key, a.pointer);
    }

    void forgetAddress(Access a) {
        coordinator.cache(a.table).remove(a.key);
    }

    private void learnAddresses() {
        for (int i = 0; i < accessCount; i++) {
            Access a = accesses[i];
            if (a.isInsert()) rememberAddress(a);
            else if (a.kind == Access.Kind.DELETE && a.writes()) forgetAddress(a);
        }
    }

    // ---- aborting

    /** Ends the attempt: every lock that is provably ours is released in the background, and no other is touched. */
    boolean refuse(AbortReason why) {
        reason = why;
        state = State.ABORTED;
        try {
            Round release = coordinator.abortRound();
            boolean any = false;
            for (int i = 0; i < writes.count(); i++) any |= verbs.abort(release, writes.get(i));
            if (any) release.postInBackground();
        } catch (FabricException e) {
            throw broken(e);
        }
        writes.clear();
        return false;
    }

    private FabricException broken(FabricException e) {
        coordinator.broke();
        state = State.ENDED;
        return e;
    }

    // ---- what is asked

    @Override
    public boolean found(int access) {
        return executedAccess(access).found;
    }

    @Override
    public boolean writes(int access) {
        return executedAccess(access).writes();
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long value(int access) {
        Access a = executedAccess(access);
        if (a.record != null) return a.record.staged + ObjectLayout.BODY_CONTENT;
        if (!a.found)
            throw new IllegalStateException("key " + a.key + " of table " + a.table.name() + " was not found");
        return a.landed + ObjectLayout.CONTENT;
    }

    @Override
    public long version(int access) {
        Access a = executedAccess(access);
        if (a.isInsert()) return writes.find(a.table.home(a.key)).version(memory);
        return a.writes() ? a.record.version(memory) : a.versionSeen;
    }

    @Override
    public long bucketVersion(int access) {
        Access a = executedAccess(access);
        Target head = a.writes() ? writes.find(a.table.home(a.key)) : null;
        return head != null ? head.version(memory) : a.versionSeen;
    }

    private Access executedAccess(int access) {
        Checks.argument(access >= 0 && access < executed, "the access was not executed yet");
        return accesses[access];
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public AbortReason abortReason() {
        return reason;
    }

    @Override
    public int blockingSession() {
        return blockingSession;
    }

    FordCounts counts() {
        return coordinator.counts();
    }

    FordVerbs verbs() {
        return verbs;
    }

    void blockedBy(long lockOrVersion) {
        blockingSession = TxnId.session(lockOrVersion);
    }

    boolean holdsLocks() {
        return writes.count() > 0;
    }

    Region primary(long pointer) {
        return coordinator.pool().primary(pointer);
    }

    long take(long bytes) {
        long at = scratch.take(bytes);
        if (at < 0) throw tooLarge("bytes of local memory", SCRATCH_BYTES);
        return at;
    }

    TransactionTooLargeException tooLarge(String what, long most) {
        if (state == State.ACTIVE) refuse(AbortReason.ROLLED_BACK);
        return new TransactionTooLargeException("a transaction has at most " + most + " " + what);
    }
}
