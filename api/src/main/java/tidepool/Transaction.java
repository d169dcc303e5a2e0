package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import tidepool.base.Strand;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Outcome;
import tidepool.protocol.Txn;

/**
 * Accesses that happen together or not at all. Belongs to the thread or strand that began it. {@link Tidepool#transact}
 * makes, retries and ends transactions by itself; {@link Tidepool#begin} leaves that to the caller.
 */
public final class Transaction implements AutoCloseable {
    private final Tidepool pool;
    private final Coordinator coordinator;
    private final Txn txn;
    private final long id;
    private final Thread thread = Thread.currentThread();
    private final Strand strand = Strand.current();
    private final List<Cell<?>> changed = new ArrayList<>();
    private final List<Cell<?>> mustBeNew = new ArrayList<>();
    private final long tripsBefore;
    private long trips;
    private AbortReason abortReason;
    private int blockingSession;
    private boolean ended;

    Transaction(Tidepool pool, Coordinator coordinator) {
        this.pool = pool;
        this.coordinator = coordinator;
        this.txn = coordinator.begin();
        this.id = txn.id();
        this.tripsBefore = coordinator.traffic().roundTrips();
    }

    /** The layer below records: fields and offsets, nothing allocated. See {@link Txn}. */
    public Txn raw() {
        return txn();
    }

    /** The id of this attempt. */
    public long id() {
        return id;
    }

    /** Round trips of this attempt so far, as the fabric counts them; what goes on in the background is none. */
    public long roundTrips() {
        return ended ? trips : coordinator.traffic().roundTrips() - tripsBefore;
    }

    /**
     * Commits; true if it happened. False if others stood in the way: nothing happened, and the caller may try again.
     * Waits.
     */
    public boolean commit() {
        Txn mine = txn();
        try {
            if (!mine.execute()) return end(false);
            for (Cell<?> cell : changed) cell.flush(mustBeNew.contains(cell));
            Outcome outcome = mine.commit();
            if (outcome == Outcome.UNKNOWN) {
                end(false);
                return pool.settleUnknown(id);
            }
            boolean committed = end(outcome == Outcome.COMMITTED);
            if (committed && coordinator.isBroken()) pool.mend(mine.id());
            return committed;
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        } finally {
            if (!ended) rollback();
        }
    }

    /** Gives up: nothing happened. Does nothing once the transaction has ended. */
    public void rollback() {
        if (ended) return;
        if (!coordinator.isBroken()) txn.rollback();
        end(false);
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() {
        rollback();
    }

    /** Why the attempt was aborted, if it was. */
    public AbortReason abortReason() {
        return ended ? abortReason : txn.abortReason();
    }

    /** The session whose lock stood in the way; 0 if none did. */
    int blockingSession() {
        return ended ? blockingSession : txn.blockingSession();
    }

    Txn txn() {
        if (ended) throw new IllegalStateException("the transaction has ended");
        if (thread != Thread.currentThread() && (strand == null || strand != Strand.current()))
            throw new IllegalStateException("a transaction belongs to the thread that began it: " + thread.getName());
        return txn;
    }

    boolean found(int access) {
        execute();
        return txn.found(access);
    }

    long value(int access) {
        execute();
        return txn.value(access);
    }

    MemorySegment memory() {
        return txn.memory();
    }

    boolean isReadOnlyAccess(int access) {
        return !txn.writes(access);
    }

    void changed(Cell<?> cell) {
        if (!changed.contains(cell)) changed.add(cell);
    }

    void mustBeNew(Cell<?> cell) {
        mustBeNew.add(cell);
    }

    private void execute() {
        try {
            if (!txn().execute()) throw Conflict.SIGNAL;
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        }
    }

    /** Declares an access; the answer is its number. */
    int declare(ToIntFunction<Txn> access) {
        try {
            return access.applyAsInt(txn());
        } catch (tidepool.protocol.TransactionTooLargeException e) {
            throw tooLarge(e);
        }
    }

    private TransactionTooLargeException tooLarge(tidepool.protocol.TransactionTooLargeException e) {
        rollback();
        return new TransactionTooLargeException(e.getMessage());
    }

    private boolean end(boolean committed) {
        if (ended) return committed;
        ended = true;
        // Another thread may begin on this coordinator as soon as it is given back: what is asked later is kept here.
        trips = coordinator.traffic().roundTrips() - tripsBefore;
        abortReason = txn.abortReason();
        blockingSession = txn.blockingSession();
        pool.ended(coordinator, txn, committed);
        return committed;
    }
}
