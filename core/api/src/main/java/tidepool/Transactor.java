package tidepool;

import java.time.Duration;
import tidepool.fabric.FabricException;
import tidepool.txn.Priority;

/**
 * A runner of transactions on a pool, with limits of its own. Threads may share it, and it is worth keeping:
 *
 * <pre>{@code
 * Transactor quick = pool.within(Duration.ofMillis(50)).attempts(3);
 * quick.transact(tx -> accounts.put(tx, new Account(17, 100)));
 * }</pre>
 *
 * <p>A transaction is retried after a conflict, and after a failure of the fabric before its commit. Between two
 * attempts it pauses for a random time: at most 400 ns after the first attempt, twice that after the second, and so on
 * up to 0.8 ms. Where a commit takes 100 us or more, as measured on this pool, the bound begins with three commits and
 * ends with 48; from the 17th attempt on the longest pause is twelve commits. When the time is up, or all attempts are
 * used up, the transaction ends with a {@link ConflictException}. An attempt is never cut short: the time is checked
 * between attempts.
 */
public final class Transactor {
    private final Tidepool pool;
    private final Limits limits;

    Transactor(Tidepool pool, Limits limits) {
        this.pool = pool;
        this.limits = limits;
    }

    /** Returns a transactor with another time-out. */
    public Transactor within(Duration timeout) {
        return new Transactor(pool, limits.within(timeout));
    }

    /** Returns a transactor with at most {@code max} attempts. */
    public Transactor attempts(int max) {
        return new Transactor(pool, limits.attempts(max));
    }

    /**
     * Returns a transactor with another priority among transactions that wait for the same locks; see {@link Priority}.
     */
    public Transactor with(Priority priority) {
        return new Transactor(pool, limits.with(priority));
    }

    /**
     * Runs a transaction until it commits. An exception of the body, checked or not, rolls it back and is thrown here
     * unchanged, if all that the body had read existed at one moment; otherwise the transaction is retried. An
     * {@link InterruptedException} is thrown in any case.
     *
     * <pre>{@code
     * void pay(Path orders) throws IOException {
     *     pool.transact(tx -> {
     *         for (String line : Files.readAllLines(orders)) pay(tx, line);
     *     });
     * }
     * }</pre>
     */
    public <X extends Exception> void transact(TransactionBody<X> body) throws X {
        requireBody(body);
        this.<Void, X>run(
                tx -> {
                    body.run(tx);
                    return null;
                },
                false);
    }

    /** Runs a transaction with a result until it commits. The body may run several times. */
    public <R, X extends Exception> R compute(TransactionFunction<R, X> body) throws X {
        return run(body, false);
    }

    /**
     * Runs a transaction that only reads: all it reads existed at one moment. It takes no locks. A body that declares a
     * write ends with an {@link IllegalStateException} before any verb is sent for it.
     */
    public <R, X extends Exception> R read(TransactionFunction<R, X> body) throws X {
        return run(body, true);
    }

    /** Returns a worker for the calling thread or strand, within these limits. Waits for a coordinator. */
    public Worker worker() {
        return new Worker(pool, limits);
    }

    private static void requireBody(Object body) {
        if (body == null) throw new NullPointerException("a transaction needs a body");
    }

    private <R, X extends Exception> R run(TransactionFunction<R, X> body, boolean readOnly) throws X {
        requireBody(body);
        pool.scanForDeadSessions();
        RetryLoop retries = new RetryLoop(pool, limits);
        retries.start(readOnly, limits.priority());
        retries.startClock();
        try {
            while (true) {
                int used = pool.sessions().number();
                Transaction tx = null;
                try {
                    tx = new Transaction(pool, retries, TxnAttempt.Use.RETRIED);
                    used = tx.session();
                    R result = body.apply(tx);
                    if (tx.end()) {
                        retries.committed();
                        return result;
                    }
                    retries.metOthers();
                } catch (ConflictSignal e) {
                    tx.rollback();
                    retries.metOthers();
                } catch (FabricException e) {
                    if (tx != null) tx.rollback();
                    retries.failed(used, e);
                } catch (Throwable e) {
                    // An interrupt does not come from the reads, and its flag is cleared: dropped, it would be lost.
                    if (isReal(tx, retries) || e instanceof InterruptedException) throw e;
                } finally {
                    if (tx != null) tx.rollback();
                }
                retries.pause();
            }
        } catch (Throwable e) {
            retries.threw(e);
            throw e;
        }
    }

    /**
     * Returns whether a body that threw had read a consistent state, and waits for validation. Otherwise aborts the
     * attempt, and the exception is dropped.
     */
    private static boolean isReal(Transaction tx, RetryLoop retries) {
        if (tx == null) return true;
        int used = tx.session();
        try {
            if (tx.isConsistent()) return true;
        } catch (FabricException e) {
            tx.rollback();
            retries.failed(used, e);
            return false;
        }
        tx.rollback();
        retries.metOthers();
        return false;
    }
}
