package tidepool;

import tidepool.base.Checks;
import tidepool.fabric.FabricException;
import tidepool.fabric.Traffic;
import tidepool.txn.AbortReason;
import tidepool.txn.Priority;
import tidepool.txn.Txn;

/**
 * A runner of transactions on fields, one after the other, for the thread or strand that made it. Like
 * {@link Tidepool#transact} it retries, pauses, recovers dead sessions and counts. In steady state it allocates
 * nothing, aborted attempts included.
 *
 * <pre>{@code
 * final class Deposit implements Worker.Work {
 *     long account;
 *     long amount;
 *
 *     @Override
 *     public boolean run(Txn txn) {
 *         int access = txn.update(accounts, account); // declared
 *         if (!txn.execute()) return false; // a conflict: the worker tries again
 *         long at = txn.value(access);
 *         balance.set(txn.memory(), at, balance.get(txn.memory(), at) + amount);
 *         return true; // commit; false here would roll back
 *     }
 * }
 *
 * void deposit(long amount) {
 *     Deposit deposit = new Deposit();
 *     deposit.account = 17;
 *     deposit.amount = amount;
 *     try (Worker worker = pool.worker()) {
 *         worker.transact(deposit);
 *     }
 * }
 * }</pre>
 *
 * <p>A worker keeps one of the pool's coordinators until it is closed. Close it before the pool. Its time-outs count
 * from the end of the first attempt, so that a transaction without conflicts reads no clock.
 */
public final class Worker implements AutoCloseable {
    /** The body of a transaction. Made once and run often; its fields hold its inputs and results. */
    @FunctionalInterface
    public interface Work {
        /**
         * Runs one attempt. It must neither commit, roll back nor keep the transaction.
         *
         * @return true to commit. False after {@link Txn#execute} returned false: the attempt was aborted, and the next
         *     one follows. False otherwise: give the transaction up, as a {@link Rollback} would. If the reads of the
         *     work did not exist at one moment, the next attempt follows instead, also if the work throws.
         */
        boolean run(Txn txn);
    }

    private static final int BEGUN_PER_LOOK = 16;
    private static final Traffic NOTHING = new Traffic();

    private final Tidepool pool;
    private final OwnerThread owner = new OwnerThread();
    private final Limits limits;
    private final RetryLoop retries;
    private final TxnAttempt attempt;
    private PooledCoordinator pooled;
    private int begun;
    private boolean running;
    private boolean closed;

    Worker(Tidepool pool, Limits limits) {
        this.pool = pool;
        this.limits = limits;
        this.retries = new RetryLoop(pool, limits);
        this.attempt = new TxnAttempt(pool, owner, TxnAttempt.Use.WORKER);
        this.pooled = pool.coordinators().take(retries.deadlineFromNow());
    }

    /**
     * Runs a transaction until it commits, and waits for that. Returns true if it did, false if the work gave it up.
     */
    public boolean transact(Work work) {
        return run(work, false, limits.priority());
    }

    /**
     * Runs a transaction with another priority among transactions that wait for the same locks; see {@link Priority}.
     */
    public boolean transact(Priority priority, Work work) {
        return run(work, false, requirePriority(priority));
    }

    /**
     * Runs a transaction that only reads, and waits for it. It takes no locks. Declaring a write is an
     * {@link IllegalStateException} before any verb is sent for it.
     */
    public boolean read(Work work) {
        return run(work, true, limits.priority());
    }

    /** Returns the number of attempts of the last transaction. */
    public int attempts() {
        return retries.attempts();
    }

    /** Returns the round trips of all attempts of the last transaction, as the fabric counts them. */
    public long roundTrips() {
        return retries.roundTrips();
    }

    /**
     * Returns the traffic of the worker's coordinator, including traffic from before this worker got it. A failure of
     * the fabric replaces the coordinator, and with it this object.
     */
    Traffic traffic() {
        if (closed) throw new IllegalStateException("the worker was closed");
        return pooled == null ? NOTHING : pooled.traffic();
    }

    /** Returns why the last attempt of the last transaction that did not commit was aborted; null if none was. */
    public AbortReason abortReason() {
        return retries.abortReason();
    }

    /** Returns the id of the last attempt. */
    public long id() {
        return attempt.id();
    }

    private boolean run(Work work, boolean readOnly, Priority priority) {
        requireFree(work);
        // A scan reads a clock, which costs as much as a fifth of the shortest transactions.
        if (begun++ % BEGUN_PER_LOOK == 0) pool.scanForDeadSessions();
        running = true;
        retries.start(readOnly, priority);
        try {
            while (true) {
                int used = pool.sessions().number();
                try {
                    attempt.begin(pooled(), readOnly, priority, retries.room());
                    retries.began(attempt);
                    used = attempt.session();
                    boolean wanted = run(work);
                    if (!wanted && attempt.isConsistent()) {
                        attempt.giveUp();
                        retries.rolledBack();
                        return false;
                    }
                    if (wanted && attempt.finish(retries)) {
                        retries.committed();
                        return true;
                    }
                    attempt.giveUp();
                    retries.metOthers();
                } catch (ConflictSignal e) {
                    attempt.giveUp();
                    retries.metOthers();
                } catch (FabricException e) {
                    attempt.giveUp();
                    retries.failed(used, e);
                }
                retries.pause();
            }
        } catch (Throwable e) {
            attempt.giveUp();
            retries.threw(e);
            throw e;
        } finally {
            running = false;
        }
    }

    /**
     * Runs the work. Its result and its exceptions count only if its reads were consistent; otherwise the attempt is
     * over. A failure of the fabric is thrown, even if the work has hidden it.
     */
    private boolean run(Work work) {
        try {
            boolean wanted = work.run(attempt);
            attempt.requireUnbroken();
            return wanted;
        } catch (ConflictSignal | FabricException e) {
            throw e;
        } catch (Throwable e) {
            attempt.requireUnbroken();
            if (attempt.isConsistent()) throw e;
            throw ConflictSignal.SIGNAL;
        }
    }

    private static Priority requirePriority(Priority priority) {
        if (priority == null) throw new NullPointerException("a priority is needed: NORMAL or HIGH");
        return priority;
    }

    private void requireFree(Work work) {
        if (work == null) throw new NullPointerException("work is needed");
        requireOwner();
        if (closed) throw new IllegalStateException("the worker was closed");
        if (running) throw new IllegalStateException("a worker runs one transaction at a time");
    }

    private void requireOwner() {
        if (!owner.isHere()) throw new IllegalStateException("a worker belongs to the thread that made it: " + owner);
    }

    /** Returns the coordinator; another one, if a failure of the fabric has ended the one before. */
    private PooledCoordinator pooled() {
        pool.sessions().requireOpen();
        if (pooled != null && pool.sessions().isWhole() && pool.coordinators().isGood(pooled)) return pooled;
        if (pooled != null) pool.coordinators().giveBack(pooled);
        pooled = null;
        pooled = pool.coordinators().take(retries.deadline());
        return pooled;
    }

    /** Gives the coordinator back. Closing twice does nothing. */
    @Override
    public void close() {
        if (closed) return;
        requireOwner();
        Checks.argument(!running, "a worker is not closed by its own work");
        closed = true;
        if (pooled != null) pool.coordinators().giveBack(pooled);
        pooled = null;
    }
}
