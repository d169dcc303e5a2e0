package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.FabricException;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Outcome;
import tidepool.protocol.Priority;
import tidepool.protocol.Txn;
import tidepool.store.StoreException;
import tidepool.store.TableInfo;

/**
 * One attempt of a transaction as the application gets it: a {@link Txn} that belongs to the thread that began it, refuses
 * to write if it was begun for reading, and is worthless once it has ended. Beginning and ending are not the
 * application's. An object can be used for one attempt after the other.
 */
final class Attempt implements Txn {
    /** Who runs it. */
    enum Use {
        /** A {@link Worker}, which keeps its coordinator and tries again. */
        WORKER,
        /** A {@link Transactor}, which tries again on any coordinator. */
        RETRIED,
        /** The application, which decides itself. */
        EXPLICIT
    }

    /** The layer of records, which shares the attempt with the application's own use of fields. */
    interface Records {
        /** A record is made, perhaps where one was deleted. Waits, if the deleted one is still to be shown. */
        void makes(TableInfo table, long key);

        /** Everything that was declared has been carried out. */
        void executed();
    }

    private enum State {
        ENDED,
        OPEN,
        /** Others stood in the way: nothing can be asked any more, and whoever began it tries again. */
        ABORTED
    }

    private final Tidepool pool;
    private final Owner owner;
    private final Use use;
    private final Records records;
    private Seat seat;
    private Txn txn;
    private boolean readOnly;
    private boolean writes;
    private State state = State.ENDED;
    private long id;
    private long tripsBefore;

    // What is asked after the end: by then another thread may have begun on this coordinator.
    private long trips;
    private AbortReason abortReason;

    /** Why the pool cannot do what was declared, so that the attempt cannot commit; null if it can. */
    private StoreException refusal;

    /** The failure of the fabric that ended the attempt, also if the application hides it; null if none did. */
    private FabricException failure;

    private int blockingSession;

    Attempt(Tidepool pool, Owner owner, Use use) {
        this(pool, owner, use, null);
    }

    /** @param records the layer of records on this one; null if there is none */
    Attempt(Tidepool pool, Owner owner, Use use, Records records) {
        this.pool = pool;
        this.owner = owner;
        this.use = use;
        this.records = records;
    }

    // ---- for whoever began it

    void begin(Seat newSeat, boolean readsOnly, Priority priority) {
        seat = newSeat;
        readOnly = readsOnly;
        refusal = null;
        failure = null;
        writes = false;
        try {
            txn = newSeat.begin();
        } catch (FabricException e) {
            if (use != Use.WORKER) pool.coordinators().giveBack(newSeat);
            throw e;
        }
        if (priority != Priority.NORMAL) txn.priority(priority);
        id = txn.id();
        tripsBefore = newSeat.traffic().roundTrips();
        state = State.OPEN;
    }

    /** Commits; true if it happened, false if others stood in the way. It has ended in any case. Waits. */
    boolean finish(Tries tries) {
        check();
        try {
            requireUnrefused();
            pool.sessions().requireOpen(); // so that a closed pool is no unknown outcome
            if (writes) tries.commits();
            Outcome outcome = commitOrRefuse();
            if (writes && outcome == Outcome.COMMITTED) tries.commitDone();
            boolean committed = outcome == Outcome.UNKNOWN
                    ? pool.sessions().settleUnknown(id, seat.whyBroken(), tries.deadline())
                    : outcome == Outcome.COMMITTED;
            end(committed);
            if (outcome == Outcome.COMMITTED && seat.isBroken())
                pool.sessions().mend(id, seat.whyBroken(), tries.deadline());
            return committed;
        } finally {
            giveUp();
        }
    }

    /** What is refused for what was read from a state that never was is not refused, but tried again. */
    private Outcome commitOrRefuse() {
        try {
            return txn.commit();
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            if (txn.isConsistent()) throw new TransactionTooLargeException(e.getMessage());
        } catch (StoreException e) {
            if (txn.isConsistent()) throw e;
        }
        return Outcome.ABORTED;
    }

    /**
     * Whether what the application saw was there at one moment; asked before it is left to give up, or to throw,
     * because of that. False if the attempt is over and to be tried again. Waits.
     */
    @Override
    public boolean isConsistent() {
        if (state == State.ABORTED) return false;
        try {
            if (state == State.ENDED || seat.isBroken() || txn.isConsistent()) return true;
        } catch (FabricException e) {
            failure = e;
            throw e;
        }
        state = State.ABORTED;
        return false;
    }

    /** Throws the failure of the fabric that ended this attempt, if any: the application may have hidden it. */
    void requireUnbroken() {
        if (failure != null) throw failure;
    }

    private void requireUnrefused() {
        if (refusal != null) throw refusal;
    }

    /** Rolls back. Does nothing once the attempt has ended. */
    void giveUp() {
        if (state == State.ENDED) return;
        if (!owner.isHere()) throw wrongThread();
        boolean wasBroken = seat.isBroken();
        try {
            if (!wasBroken) txn.rollback();
        } catch (FabricException e) {
            // Nothing has happened all the same; only the locks are left.
        } finally {
            end(false);
        }
        if (!wasBroken && seat.isBroken())
            pool.sessions().mend(id, seat.whyBroken(), pool.sessions().defaultDeadline());
    }

    private void end(boolean committed) {
        state = State.ENDED;
        trips = seat.traffic().roundTrips() - tripsBefore;
        abortReason = txn.abortReason();
        blockingSession = txn.blockingSession();
        if (committed) seat.counts().committed();
        else if (abortReason != null) seat.counts().aborted(abortReason);
        if (use != Use.WORKER) pool.coordinators().giveBack(seat);
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    /** The session in whose name it runs or ran; 0 before the first. */
    int session() {
        return seat == null ? 0 : seat.session();
    }

    /** Round trips so far, as the fabric counts them; what goes on in the background is none. */
    long roundTrips() {
        return state == State.ENDED ? trips : seat.traffic().roundTrips() - tripsBefore;
    }

    /** Refuses what the application may not do now. */
    void check() {
        if (state == State.ENDED) throw new IllegalStateException("the transaction has ended");
        if (!owner.isHere()) throw wrongThread();
    }

    private IllegalStateException wrongThread() {
        return new IllegalStateException("a transaction belongs to the thread that began it: " + owner);
    }

    // ---- for the application: declaring

    @Override
    public int read(TableInfo table, long key) {
        checkAccess(table);
        try {
            return txn.read(table, key);
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int update(TableInfo table, long key) {
        checkWrite(table, key);
        try {
            return txn.update(table, key);
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int insert(TableInfo table, long key) {
        checkWrite(table, key);
        if (records != null) records.makes(table, key);
        try {
            return txn.insert(table, key);
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int put(TableInfo table, long key) {
        checkWrite(table, key);
        if (records != null) records.makes(table, key);
        try {
            return txn.put(table, key);
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int delete(TableInfo table, long key) {
        checkWrite(table, key);
        try {
            return txn.delete(table, key);
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        }
    }

    private void checkAccess(TableInfo table) {
        checkAlive();
        pool.knownTables().require(table);
    }

    private void checkWrite(TableInfo table, long key) {
        checkAccess(table);
        if (readOnly)
            throw new IllegalStateException(
                    "a read-only transaction writes nothing: table=" + table.name() + " key=" + key);
        writes = true;
    }

    private void checkAlive() {
        check();
        if (state != State.ABORTED) return;
        if (use == Use.EXPLICIT)
            throw new IllegalStateException(
                    "the transaction was aborted, and this attempt is over: " + txn.abortReason());
        throw Conflict.SIGNAL;
    }

    private TransactionTooLargeException tooLarge(tidepool.protocol.TransactionTooLargeException e) {
        if (!isConsistent()) checkAlive();
        giveUp();
        return new TransactionTooLargeException(e.getMessage());
    }

    // ---- for the application: carrying out, and what came of it

    @Override
    public boolean execute() {
        check();
        requireUnrefused();
        try {
            if (!txn.execute()) {
                state = State.ABORTED;
                return false;
            }
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        } catch (StoreException e) {
            if (!isConsistent()) checkAlive();
            refusal = e;
            throw e;
        } catch (FabricException e) {
            failure = e;
            throw e;
        }
        if (records != null) records.executed();
        return true;
    }

    @Override
    public boolean isExecuted(int access) {
        checkAlive();
        return txn.isExecuted(access);
    }

    @Override
    public boolean found(int access) {
        checkAlive();
        return txn.found(access);
    }

    @Override
    public boolean writes(int access) {
        checkAlive();
        return txn.writes(access);
    }

    @Override
    public MemorySegment memory() {
        checkAlive();
        return txn.memory();
    }

    @Override
    public long value(int access) {
        checkAlive();
        return txn.value(access);
    }

    @Override
    public long version(int access) {
        checkAlive();
        return txn.version(access);
    }

    @Override
    public long bucketVersion(int access) {
        checkAlive();
        return txn.bucketVersion(access);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public AbortReason abortReason() {
        return state == State.ENDED ? abortReason : txn.abortReason();
    }

    @Override
    public int blockingSession() {
        return state == State.ENDED ? blockingSession : txn.blockingSession();
    }

    @Override
    public Outcome commit() {
        throw new IllegalStateException("whoever began the transaction commits it, when its body has returned");
    }

    @Override
    public void rollback() {
        throw new IllegalStateException("whoever began the transaction rolls it back; its body says so by its end");
    }
}
