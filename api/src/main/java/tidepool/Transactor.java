package tidepool;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import tidepool.fabric.FabricException;
import tidepool.protocol.Priority;

/**
 * Runs transactions on a pool within limits of its own. Shared by any threads, and worth keeping:
 *
 * <pre>{@code
 * Transactor quick = pool.within(Duration.ofMillis(50)).attempts(3);
 * quick.transact(tx -> ...);
 * }</pre>
 *
 * <p>A transaction is tried again when it met others and when the fabric failed before its commit. Between two attempts
 * it pauses for a random time of at most 400 ns after the first, twice that after the second, and so on up to 0.8 ms.
 * Where a commit takes 100 us or more, which is measured on this pool, it begins with three commits and ends with 48; from the
 * 17th attempt on the longest pause is twelve commits.
 * When the time is up, or all attempts are used up, it ends with a {@link ConflictException}. An attempt is never cut
 * short: the time is looked at between attempts.
 */
public final class Transactor {
    private final Tidepool pool;
    private final Limits limits;

    Transactor(Tidepool pool, Limits limits) {
        this.pool = pool;
        this.limits = limits;
    }

    /** The same with another time-out. */
    public Transactor within(Duration timeout) {
        return new Transactor(pool, limits.within(timeout));
    }

    /** The same with at most so many attempts. */
    public Transactor attempts(int most) {
        return new Transactor(pool, limits.attempts(most));
    }

    /** The same with another priority towards others that wait for the same locks; see {@link Priority}. */
    public Transactor with(Priority priority) {
        return new Transactor(pool, limits.with(priority));
    }

    /**
     * Runs a transaction until it commits. What the body throws rolls it back and comes out here, if all that the
     * body had read was there at one moment; otherwise the transaction is tried again.
     */
    public void transact(Consumer<Transaction> body) {
        requireBody(body);
        run(
                tx -> {
                    body.accept(tx);
                    return null;
                },
                false);
    }

    /** The same, with a result. The body may run several times. */
    public <R> R compute(Function<Transaction, R> body) {
        return run(body, false);
    }

    /**
     * Runs a transaction that only reads: what it sees was all there at one moment. It takes no locks, and a body that
     * wants to write ends with an {@link IllegalStateException} before anything was sent for it.
     */
    public <R> R read(Function<Transaction, R> body) {
        return run(body, true);
    }

    /** A worker for the calling thread or strand, within these limits. Waits. */
    public Worker worker() {
        return new Worker(pool, limits);
    }

    private static void requireBody(Object body) {
        if (body == null) throw new NullPointerException("a transaction needs a body");
    }

    private <R> R run(Function<Transaction, R> body, boolean readOnly) {
        requireBody(body);
        pool.lookAround();
        Tries tries = new Tries(pool, limits);
        tries.start(readOnly, limits.priority());
        tries.startClock();
        try {
            while (true) {
                int used = pool.sessions().number();
                Transaction tx = null;
                try {
                    tx = new Transaction(pool, tries, Attempt.Use.RETRIED);
                    used = tx.session();
                    R result = body.apply(tx);
                    if (tx.commit()) {
                        tries.committed();
                        return result;
                    }
                    tries.metOthers();
                } catch (Conflict e) {
                    tx.rollback();
                    tries.metOthers();
                } catch (FabricException e) {
                    if (tx != null) tx.rollback();
                    tries.failed(used, e);
                } catch (Throwable e) {
                    if (isReal(tx, tries)) throw e;
                } finally {
                    if (tx != null) tx.rollback();
                }
                tries.pause();
            }
        } catch (Throwable e) {
            tries.threw(e);
            throw e;
        }
    }

    /**
     * Whether a body that threw saw what was there; otherwise the attempt was aborted, and nothing is thrown. Waits.
     */
    private static boolean isReal(Transaction tx, Tries tries) {
        if (tx == null) return true;
        int used = tx.session();
        try {
            if (tx.isConsistent()) return true;
        } catch (FabricException e) {
            tx.rollback();
            tries.failed(used, e);
            return false;
        }
        tx.rollback();
        tries.metOthers();
        return false;
    }
}
