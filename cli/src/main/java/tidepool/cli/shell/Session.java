package tidepool.cli.shell;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import tidepool.PoolListener;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.UnknownOutcomeException;
import tidepool.protocol.Recovery;
import tidepool.store.TableInfo;

/**
 * A pool and the transaction that is open on it. A transaction belongs to the thread that began it, and must be rolled back
 * when nobody types anything any more; so one thread does all that concerns the pool, and others ask it.
 */
final class Session implements AutoCloseable {
    /** Whether there is a transaction, and how it is. */
    enum State {
        NONE,
        OPEN,
        READING,
        /** It is over and nothing of it was applied, but nobody has said rollback or commit yet. */
        ABORTED
    }

    /** An answer, and what it cost. */
    record Answer(String text, long nanos, long roundTrips) {}

    private static final long GLANCE_MILLIS = 500;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tidepool-shell").daemon().factory());
    private final Duration idle;
    private final Tidepool pool;
    private final Tables tables;
    private final Report report;

    private volatile State state = State.NONE;
    private volatile Consumer<String> notices = _ -> {};

    private Transaction transaction; // null unless OPEN or READING; these four are the thread's own
    private Rows rows;
    private String abortedBecause;
    private ScheduledFuture<?> idling;

    /** Opens the pool. Waits. */
    Session(String url, Duration idle) {
        this.idle = idle;
        try {
            pool = ask(() -> Tidepool.open(url));
        } catch (RuntimeException e) {
            thread.shutdownNow();
            throw e;
        }
        tables = new Tables(pool);
        report = new Report(pool, url, idle);
        pool.listen(new PoolListener() {
            @Override
            public void recovered(Recovery.Report recovery) {
                notices.accept("session " + recovery.session() + " was dead and has been recovered");
            }
        });
    }

    /** Where to say what happens while nobody asks. Called by other threads. */
    void tell(Consumer<String> listener) {
        notices = listener;
    }

    State state() {
        return state;
    }

    String greeting() {
        return ask(() -> report.greeting(tables.all().size()));
    }

    /** The tables, if the pool tells them at once; otherwise those that were known before. */
    List<TableInfo> tablesAtAGlance() {
        Future<List<TableInfo>> asked = thread.submit(tables::all);
        try {
            return asked.get(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            asked.cancel(false);
        }
        return tables.known();
    }

    /** Carries out a statement. Waits. A {@link Refused} says why it was not done, and what became of the transaction. */
    Answer run(Statement statement) {
        return ask(() -> {
            if (idling != null) idling.cancel(false);
            long trips = pool.traffic().roundTrips();
            long start = System.nanoTime();
            try {
                String text = carryOut(statement);
                return new Answer(
                        text, System.nanoTime() - start, pool.traffic().roundTrips() - trips);
            } catch (Refused e) {
                throw e;
            } catch (UnknownOutcomeException e) {
                report.unknown(e.txn());
                throw new Refused(Sentences.of(e));
            } catch (RuntimeException e) {
                throw new Refused(Sentences.of(e));
            } finally {
                if (transaction != null) idling = thread.schedule(this::wentIdle, idle.toNanos(), TimeUnit.NANOSECONDS);
            }
        });
    }

    private String carryOut(Statement statement) {
        return switch (statement) {
            case Statement.Help help -> Words.help(help.topic());
            case Statement.Tables _ -> tables.list();
            case Statement.Describe describe -> tables.describe(tables.find(describe.table()));
            case Statement.Create create -> create(create);
            case Statement.Get get -> {
                TableInfo table = tables.find(get.table());
                yield read(each -> each.get(table, get.keys()));
            }
            case Statement.Write write -> {
                TableInfo table = tables.find(write.table());
                Rows.check(table, write.assignments());
                yield write(each -> each.write(write.kind(), table, write.key(), write.assignments()));
            }
            case Statement.Delete delete -> {
                TableInfo table = tables.find(delete.table());
                yield write(each -> each.delete(table, delete.key()));
            }
            case Statement.Begin begin -> begin(begin.readOnly());
            case Statement.Commit _ -> commit();
            case Statement.Rollback _ -> rollback();
            case Statement.Status _ -> report.status(transactionText());
            case Statement.Timing _, Statement.Quit _ ->
                throw new IllegalStateException("the shell does this: " + statement);
        };
    }

    // ---- records

    private String read(Function<Rows, String> work) {
        requireNotAborted();
        return transaction != null ? inside(work) : pool.read(tx -> work.apply(new Rows(tx)));
    }

    private String write(Function<Rows, String> work) {
        requireNotAborted();
        if (state == State.READING) throw new Refused("the transaction only reads: it was begun with readonly");
        return transaction != null ? inside(work) : pool.compute(tx -> work.apply(new Rows(tx)));
    }

    /** A statement of an open transaction. Anything but a {@link Refused} is the end of it. */
    private String inside(Function<Rows, String> work) {
        try {
            return work.apply(rows);
        } catch (Refused e) {
            throw e;
        } catch (RuntimeException e) {
            String why = Sentences.of(e);
            abort(why);
            throw new Refused("the transaction was aborted: " + why + "; begin starts anew");
        }
    }

    private void requireNotAborted() {
        if (state == State.ABORTED)
            throw new Refused(
                    "the transaction is over (" + abortedBecause + "): type rollback, or begin to start anew");
    }

    private String create(Statement.Create create) {
        requireNotAborted();
        if (transaction != null)
            throw new Refused("a table is not made inside a transaction: commit or roll back first");
        return tables.create(create);
    }

    // ---- transactions

    private String begin(boolean readOnly) {
        if (transaction != null) throw new Refused("a transaction is open already: commit or roll back first");
        transaction = readOnly ? pool.beginReadOnly() : pool.begin();
        rows = new Rows(transaction);
        state = readOnly ? State.READING : State.OPEN;
        report.begun();
        return "begun" + (readOnly ? ", reading only" : "");
    }

    private String commit() {
        if (state == State.NONE) throw new Refused("no transaction is open; without begin every statement is one");
        if (state == State.ABORTED) {
            state = State.NONE;
            throw new Refused("not committed: " + abortedBecause);
        }
        Transaction ending = transaction;
        try {
            if (!ending.commit())
                throw new Refused("not committed: " + Sentences.why(ending.abortReason(), ending.blockingSession())
                        + "; nothing was applied");
            return "committed";
        } finally {
            ended(State.NONE, null);
        }
    }

    private String rollback() {
        if (state == State.NONE) throw new Refused("no transaction is open; without begin every statement is one");
        if (transaction != null) transaction.rollback();
        ended(State.NONE, null);
        return "rolled back: nothing was applied";
    }

    private void abort(String why) {
        try {
            transaction.rollback();
        } finally {
            ended(State.ABORTED, why);
        }
    }

    private void ended(State now, String why) {
        state = now;
        abortedBecause = why;
        transaction = null;
        rows = null;
    }

    private void wentIdle() {
        if (transaction == null) return;
        String why = "nothing was typed for " + Report.text(idle) + ", so it was rolled back; nothing was applied";
        abort(why);
        notices.accept("the transaction is over: " + why);
    }

    private String transactionText() {
        return switch (state) {
            case NONE -> "none";
            case ABORTED -> "over: " + abortedBecause;
            case OPEN -> report.open(transaction, "open");
            case READING -> report.open(transaction, "open, reading only");
        };
    }

    /** Rolls the open transaction back, because a statement of it failed and nobody is there to decide. */
    void giveUp(String why) {
        ask(() -> {
            if (transaction != null) abort(why);
            return null;
        });
    }

    // ---- the thread

    private <R> R ask(Callable<R> question) {
        boolean interrupted = false;
        try {
            Future<R> asked = thread.submit(question);
            while (true) {
                try {
                    return asked.get();
                } catch (InterruptedException e) {
                    interrupted = true; // what was begun is not left half-way
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            if (e.getCause() instanceof Error cause) throw cause;
            throw new IllegalStateException(e.getCause());
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /** Leaves the pool; what is open is rolled back. */
    @Override
    public void close() {
        try {
            ask(() -> {
                if (transaction != null) abort("the shell was left");
                pool.close();
                return null;
            });
        } finally {
            thread.shutdown();
        }
    }
}
