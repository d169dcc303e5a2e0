package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.FabricException;
import tidepool.protocol.RowPage;
import tidepool.schema.RowKey;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * Accesses that happen together or not at all. Belongs to the thread or strand that began it. {@link Tidepool#transact}
 * makes, retries and ends transactions by itself; {@link Tidepool#begin} leaves that to the caller:
 *
 * <pre>{@code
 * try (Transaction tx = pool.begin()) {
 *     Cell<Account> account = accounts.update(tx, 17);
 *     account.set(account.get().plus(5));
 *     if (!tx.commit()) System.out.println("not committed: " + tx.abortReason());
 * }
 * }</pre>
 */
public final class Transaction implements AutoCloseable {
    private final Tidepool pool;
    private final TxnAttempt attempt;
    private final RetryLoop retries;

    /** Whether the caller ends it; it is not retried then. */
    private final boolean explicit;

    private final List<PendingWrite<?>> pending = new ArrayList<>();
    private final List<Cell<?>> deleted = new ArrayList<>();

    /** Its long contents; null if it has used no table with any. */
    private TxnContents contents;

    /** Why it cannot commit; null while it can. */
    private RuntimeException failure;

    /** Begins a transaction. Waits for a coordinator. */
    Transaction(Tidepool pool, RetryLoop retries, TxnAttempt.Use use) {
        this.pool = pool;
        this.retries = retries;
        this.explicit = use == TxnAttempt.Use.EXPLICIT;
        this.attempt = new TxnAttempt(pool, new OwnerThread(), use, new Records());
        attempt.begin(
                pool.coordinators().take(retries.deadline()), retries.isReadOnly(), retries.priority(), retries.room());
        retries.began(attempt);
    }

    /**
     * Returns the layer below records: fields and offsets. It ends with this transaction, which commits it. Carry out
     * its declared accesses by {@link #execute} of this transaction. See {@link Worker} for transactions that allocate
     * nothing.
     */
    public Txn raw() {
        attempt.check();
        return attempt;
    }

    /**
     * Carries out the accesses declared so far, as the first question to a {@link Cell} does, and waits for them. For
     * the API on fields. Unlike {@link Txn#execute} it ends with an exception on a conflict ({@link ConflictException},
     * if the caller ends the transaction), and replaces the session after a failure of the fabric.
     */
    public void execute() {
        attempt.check();
        executeDeclared();
    }

    /** Returns the id of this attempt. */
    public long id() {
        return attempt.id();
    }

    /** Returns whether it was begun for reading only. */
    public boolean isReadOnly() {
        return retries.isReadOnly();
    }

    /** Returns the round trips of this attempt so far, as the fabric counts them; background rounds do not count. */
    public long roundTrips() {
        return attempt.roundTrips();
    }

    /**
     * Commits, and waits for the outcome. Returns true if it committed. Returns false on a conflict: nothing happened,
     * and the caller may try again. The body of {@link Tidepool#transact} cannot call it: its transaction commits when
     * the body has returned.
     */
    public boolean commit() {
        if (explicit) return end();
        execute(); // a conflict and an earlier refusal come first
        throw new IllegalStateException("a transaction commits when its body has returned");
    }

    /** Commits, for the caller that began it. */
    boolean end() {
        if (!explicit) attempt.requireUnbroken();
        attempt.check();
        if (explicit) retries.startClock(); // the caller may keep its transaction for any time
        try {
            boolean committed = executeAll() && attempt.finish(retries);
            if (!committed) conflicted();
            else tell(retries::committed);
            return committed;
        } catch (FabricException e) {
            throw failed(e);
        } catch (ConflictException e) {
            return false; // it ended when a refusal came from an inconsistent read
        } catch (RuntimeException e) {
            if (!explicit) throw e; // a retry loop first checks whether the reads were consistent
            attempt.giveUp();
            retries.threw(e);
            throw e;
        }
    }

    /** Carries out all declared accesses, and the parts that these bring. Returns false if the attempt was aborted. */
    private boolean executeAll() {
        do {
            if (!attempt.execute()) return false;
        } while (contents != null && contents.isWaiting());
        return true;
    }

    /** Gives up: nothing happened. Does nothing once the transaction has ended. */
    public void rollback() {
        if (attempt.hasEnded()) return;
        attempt.giveUp();
        tell(retries::rolledBack);
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() {
        rollback();
    }

    /** Returns why the attempt was aborted, if it was. */
    public AbortReason abortReason() {
        return attempt.abortReason();
    }

    /** Returns the session that blocked the attempt; 0 if none did. */
    public int blockingSession() {
        return attempt.blockingSession();
    }

    // ---- for cells and tables

    /** Returns the session under which it runs. */
    int session() {
        return attempt.session();
    }

    /** Returns the attempt, for declaring accesses. */
    Txn txn() {
        return attempt;
    }

    TxnAttempt attempt() {
        return attempt;
    }

    /** Returns the long contents that it reads and writes. */
    TxnContents contents() {
        if (contents == null) contents = pool.contents().make(this, attempt);
        return contents;
    }

    /** Returns the place of its coordinator among those of the pool. */
    int coordinator() {
        return attempt.coordinator();
    }

    /**
     * Reads a page of a table, and nothing else. Waits for it. Returns false if the attempt was aborted.
     *
     * @param into the table to which the rows of this one move; null for none
     */
    boolean readPage(RowPage page, TableLayout into) {
        try {
            return attempt.readPage(page, into);
        } catch (FabricException e) {
            throw failed(e);
        }
    }

    /** Fills in the key of a row of the page that was read. */
    RowKey key(int access, RowKey into) {
        return attempt.key(access, into);
    }

    boolean found(int access) {
        executeDeclared();
        return attempt.found(access);
    }

    long value(int access) {
        executeDeclared();
        return attempt.value(access);
    }

    MemorySegment memory() {
        return attempt.memory();
    }

    /** Writes a record into the transaction: at once, or when its access is carried out. */
    void write(PendingWrite<?> write) {
        if (attempt.isExecuted(write.access())) {
            apply(write);
        } else {
            if (write.hasContents()) contents().declared(write);
            pending.add(write);
        }
    }

    /** Returns whether a record of this key waits to be written. */
    boolean isPending(Table<?> table, long key, RowKey parts) {
        for (PendingWrite<?> each : pending) if (each.isOf(table.layout(), key, parts)) return true;
        return false;
    }

    void deletes(Cell<?> cell) {
        deleted.add(cell);
    }

    /** Removes a key that this transaction has just inserted, unless the transaction cannot commit anyway. */
    void takeBack(Table<?> table, long key, RowKey parts) {
        if (attempt.mayCommit()) table.declareDelete(attempt, key, parts);
    }

    /**
     * Returns the last record set for a key, if its access was not carried out yet; otherwise null. If that record is
     * of another class with an equal schema, carries out the access, waits for it, and returns null: the record is then
     * decoded from its bytes. So it is if there is no record, only a row on fields.
     */
    <T extends Record> T pending(Table<T> table, long key, RowKey parts) {
        for (int i = pending.size() - 1; i >= 0; i--) {
            if (!pending.get(i).isOf(table.layout(), key, parts)) continue;
            Record last = pending.get(i).record();
            if (table.type() != null && table.type().isInstance(last))
                return table.type().cast(last);
            executeDeclared();
            return null;
        }
        return null;
    }

    /**
     * Returns the exception for the application, if it comes from a consistent read. Otherwise the attempt is over. A
     * retry loop finds that out when the body has ended; for an explicit transaction it is done here. Waits for
     * validation.
     */
    RuntimeException refused(RuntimeException e) {
        if (!explicit || isConsistent()) return e;
        conflicted();
        return retries.conflict();
    }

    /**
     * Returns whether all that the body read existed at one moment; otherwise its exceptions mean nothing. Fails if the
     * fabric has failed during the body. Waits for validation.
     */
    boolean isConsistent() {
        if (!explicit) attempt.requireUnbroken();
        try {
            return attempt.isConsistent();
        } catch (FabricException e) {
            throw failed(e);
        }
    }

    // ---- internals

    void executeDeclared() {
        try {
            if (attempt.execute()) return;
        } catch (FabricException e) {
            throw failed(e);
        }
        if (!explicit) throw ConflictSignal.SIGNAL;
        conflicted();
        throw retries.conflict();
    }

    /** Reads the next page of a scan, and all accesses that were declared before. Waits for the memory nodes. */
    void scan(RangeScan scan) {
        executeDeclared();
        while (contents != null && contents.isWaiting()) executeDeclared();
        try {
            if (attempt.scan(scan)) return;
        } catch (FabricException e) {
            throw failed(e);
        } catch (DuplicateKeyException e) {
            throw refused(e);
        }
        if (!explicit) throw ConflictSignal.SIGNAL;
        conflicted();
        throw retries.conflict();
    }

    /** Receives the calls of the attempt. */
    private final class Records implements TxnAttempt.Records {
        @Override
        public void makes(TableHandle table, long word, RowKey key) {
            TableLayout layout = (TableLayout) table; // the attempt has refused others
            for (Cell<?> cell : deleted) if (cell.isOf(layout, word, key)) cell.keep();
        }

        @Override
        public void executed() {
            flush();
        }
    }

    /** Writes all records that were set: there is room for them now. A record that is refused ends the transaction. */
    private void flush() {
        if (failure != null) throw failure;
        if (contents != null) contents.executed();
        if (pending.isEmpty()) return;
        try {
            for (PendingWrite<?> write : pending) {
                write.check(attempt);
                put(write);
            }
        } catch (RuntimeException e) {
            failure = e;
            throw refused(e);
        } finally {
            pending.clear();
        }
    }

    private void put(PendingWrite<?> write) {
        if (write.hasContents()) contents().apply(write);
        else write.apply(attempt);
    }

    private void apply(PendingWrite<?> write) {
        try {
            write.check(attempt);
        } catch (DuplicateKeyException | NotFoundException e) {
            throw refused(e); // nothing was written: the application may continue
        }
        try {
            put(write);
        } catch (RuntimeException e) {
            failure = e; // a part of the record may have been written
            throw e;
        }
    }

    /**
     * Called on a conflict. A retry loop handles the blocking session itself; for an explicit transaction it is done
     * here.
     */
    private void conflicted() {
        attempt.giveUp();
        tell(retries::metOthersOnce);
    }

    /**
     * Called when the fabric failed, and nothing has happened. A retry loop replaces the session itself; for an
     * explicit transaction it is done here.
     */
    private FabricException failed(FabricException e) {
        attempt.giveUp();
        if (!explicit) return e;
        retries.startClock();
        tell(() -> retries.threw(e));
        try {
            pool.sessions().afterFailure(attempt.session(), e, retries.deadline());
        } catch (FabricException again) {
            e.addSuppressed(again);
        }
        return e;
    }

    /** Reports the end of an explicit transaction; a retry loop reports it itself. */
    private void tell(Runnable end) {
        if (explicit) end.run();
    }
}
