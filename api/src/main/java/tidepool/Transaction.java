package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.FabricException;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

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

    private final List<PendingWrite<?>> pending = new ArrayList<>();
    private final List<Cell<?>> deleted = new ArrayList<>();

    /** Why it cannot commit; null while it can. */
    private RuntimeException failure;

    /** Begins. Waits for a coordinator. */
    Transaction(Tidepool pool, Tries tries, Attempt.Use use) {
        this.pool = pool;
        this.tries = tries;
        this.explicit = use == Attempt.Use.EXPLICIT;
        this.attempt = new Attempt(pool, new Owner(), use, new Records());
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
        if (!explicit) attempt.requireUnbroken();
        attempt.check();
        if (explicit) tries.startClock(); // a caller may keep its transaction for as long as it likes
        try {
            boolean committed = attempt.execute() && attempt.finish(tries);
            if (!committed) conflicted();
            else tell(tries::committed);
            return committed;
        } catch (FabricException e) {
            throw failed(e);
        } catch (ConflictException e) {
            return false; // it ended when it was refused something in a state that never was
        } catch (RuntimeException e) {
            if (!explicit) throw e; // who tries again asks first whether it means anything
            attempt.giveUp();
            tries.threw(e);
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

    /** Puts a record where the transaction takes it from: at once, or when its access is carried out. */
    void write(PendingWrite<?> write) {
        if (attempt.isExecuted(write.access())) apply(write);
        else pending.add(write);
    }

    void deletes(Cell<?> cell) {
        deleted.add(cell);
    }

    /**
     * The record of a key that was set last, if its access was not carried out yet; otherwise null. Waits if the record is
     * of another class with the same schema: then it is carried out, and shown by its bytes.
     */
    <T extends Record> T pending(Table<T> table, long key) {
        for (int i = pending.size() - 1; i >= 0; i--) {
            if (!pending.get(i).isOf(table.info(), key)) continue;
            Record last = pending.get(i).record();
            if (table.type().isInstance(last)) return table.type().cast(last);
            carryOut();
            return null;
        }
        return null;
    }

    /**
     * What the application is told about a key, if that comes from a state that was there. Otherwise the attempt is
     * over. Who tries again finds that out when the body has ended; here it is done for who does not. Waits.
     */
    RuntimeException refused(RuntimeException e) {
        if (!explicit || isConsistent()) return e;
        conflicted();
        return tries.conflict();
    }

    /**
     * Whether what the body saw was there at one moment; otherwise what it throws means nothing. Fails if the fabric
     * has failed under the body. Waits.
     */
    boolean isConsistent() {
        if (!explicit) attempt.requireUnbroken();
        try {
            return attempt.isConsistent();
        } catch (FabricException e) {
            throw failed(e);
        }
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

    /** What the attempt tells. */
    private final class Records implements Attempt.Records {
        @Override
        public void makes(TableInfo table, long key) {
            for (Cell<?> cell : deleted) if (cell.isOf(table, key)) cell.keep();
        }

        @Override
        public void executed() {
            flush();
        }
    }

    /** There is room for all that was set. What cannot be is the end of the transaction. */
    private void flush() {
        if (failure != null) throw failure;
        if (pending.isEmpty()) return;
        try {
            for (PendingWrite<?> write : pending) {
                write.check(attempt);
                write.apply(attempt);
            }
        } catch (RuntimeException e) {
            failure = e;
            throw refused(e);
        } finally {
            pending.clear();
        }
    }

    private void apply(PendingWrite<?> write) {
        try {
            write.check(attempt);
        } catch (DuplicateKeyException | NotFoundException e) {
            throw refused(e); // nothing was written: the application may go on
        }
        try {
            write.apply(attempt);
        } catch (RuntimeException e) {
            failure = e; // a part of it may have been written
            throw e;
        }
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
