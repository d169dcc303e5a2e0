package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.FabricException;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Txn;

/**
 * Accesses that happen together or not at all. Belongs to the thread or strand that began it. {@link Tidepool#transact}
 * makes, retries and ends transactions by itself; {@link Tidepool#begin} leaves that to the caller:
 *
 * <pre>{@code
 * try (Transaction tx = pool.begin()) {
 *     accounts.update(tx, 17).set(...);
 *     committed = tx.commit();
 * }
 * }</pre>
 */
public final class Transaction implements AutoCloseable {
    private final Tidepool pool;
    private final Attempt attempt;
    private final Tries tries;

    /** The caller ends it; nobody tries it again. */
    private final boolean explicit;

    private final List<Cell<?>> changed = new ArrayList<>();
    private final List<Cell<?>> mustBeNew = new ArrayList<>();

    /** Begins. Waits for a coordinator. */
    Transaction(Tidepool pool, Tries tries, Attempt.Use use) {
        this.pool = pool;
        this.tries = tries;
        this.explicit = use == Attempt.Use.EXPLICIT;
        this.attempt = new Attempt(pool, new Owner(), use);
        attempt.begin(pool.coordinators().take(tries.deadline()), tries.isReadOnly(), tries.priority());
        tries.began(attempt);
    }

    /**
     * The layer below records: fields and offsets. It ends with this transaction, which commits it; see {@link Worker} for
     * transactions that allocate nothing. Carry out what was declared by {@link #execute} of the transaction.
     */
    public Txn raw() {
        attempt.check();
        return attempt;
    }

    /**
     * Carries out what was declared so far, as the first question to a {@link Cell} does. For the API on fields: unlike
     * {@link Txn#execute} it ends with an exception where others stood in the way ({@link ConflictException}, if the
     * caller ends the transaction), and mends a failure of the fabric. Waits.
     */
    public void execute() {
        attempt.check();
        carryOut();
    }

    /** The id of this attempt. */
    public long id() {
        return attempt.id();
    }

    /** Whether it was begun for reading only. */
    public boolean isReadOnly() {
        return tries.isReadOnly();
    }

    /** Round trips of this attempt so far, as the fabric counts them; what goes on in the background is none. */
    public long roundTrips() {
        return attempt.roundTrips();
    }

    /**
     * Commits; true if it happened. False if others stood in the way: nothing happened, and the caller may try again.
     * Waits.
     */
    public boolean commit() {
        attempt.check();
        if (explicit) tries.startClock(); // a caller may keep its transaction for as long as it likes
        try {
            boolean committed = attempt.execute() && flush() && attempt.finish(tries);
            if (!committed) conflicted();
            else tell(tries::committed);
            return committed;
        } catch (FabricException e) {
            throw failed(e);
        } catch (RuntimeException e) {
            attempt.giveUp();
            tell(() -> tries.threw(e));
            throw e;
        }
    }

    /** Gives up: nothing happened. Does nothing once the transaction has ended. */
    public void rollback() {
        if (attempt.hasEnded()) return;
        attempt.giveUp();
        tell(tries::rolledBack);
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() {
        rollback();
    }

    /** Why the attempt was aborted, if it was. */
    public AbortReason abortReason() {
        return attempt.abortReason();
    }

    /** The session that stood in the way of the attempt; 0 if none did. */
    public int blockingSession() {
        return attempt.blockingSession();
    }

    // ---- for cells and tables

    /** The session in whose name it runs. */
    int session() {
        return attempt.session();
    }

    /** The attempt, for declaring accesses. */
    Txn txn() {
        return attempt;
    }

    boolean found(int access) {
        carryOut();
        return attempt.found(access);
    }

    long value(int access) {
        carryOut();
        return attempt.value(access);
    }

    MemorySegment memory() {
        return attempt.memory();
    }

    boolean isReadOnlyAccess(int access) {
        return !attempt.writes(access);
    }

    void changed(Cell<?> cell) {
        attempt.check();
        if (!changed.contains(cell)) changed.add(cell);
    }

    void mustBeNew(Cell<?> cell) {
        mustBeNew.add(cell);
    }

    // ---- inside

    private void carryOut() {
        try {
            if (attempt.execute()) return;
        } catch (FabricException e) {
            throw failed(e);
        }
        if (!explicit) throw Conflict.SIGNAL;
        conflicted();
        throw tries.conflict();
    }

    private boolean flush() {
        for (Cell<?> cell : changed) cell.flush(mustBeNew.contains(cell));
        return true;
    }

    /** Others stood in the way. Who tries again looks after them; here it is done for who does not. */
    private void conflicted() {
        attempt.giveUp();
        tell(tries::metOthersOnce);
    }

    /** The fabric failed, and nothing has happened. Who tries again mends that; here it is done for who does not. */
    private FabricException failed(FabricException e) {
        attempt.giveUp();
        if (!explicit) return e;
        tries.startClock();
        tell(() -> tries.threw(e));
        try {
            pool.sessions().afterFailure(attempt.session(), e, tries.deadline());
        } catch (FabricException again) {
            e.addSuppressed(again);
        }
        return e;
    }

    /** Tells the end of an explicit transaction; whoever tries again tells it himself. */
    private void tell(Runnable end) {
        if (explicit) end.run();
    }
}
