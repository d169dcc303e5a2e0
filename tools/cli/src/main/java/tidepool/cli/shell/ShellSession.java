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
import java.util.function.Supplier;
import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.UnknownOutcomeException;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;

/**
 * A pool and the transaction that is open on it. A transaction belongs to the thread that began it, and must be rolled
 * back if the user types nothing more. So one thread does all work on the pool, and other threads submit work to it.
 */
final class ShellSession implements AutoCloseable {
    /** The state of the transaction. */
    enum State {
        NONE,
        OPEN,
        READING,
        /**
         * The transaction is over and none of its writes was applied, but the user has not typed rollback or commit
         * yet.
         */
        ABORTED
    }

    /** An answer and its cost. */
    record Answer(String text, long nanos, long roundTrips) {}

    private static final long GLANCE_MILLIS = 500;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tidepool-shell").daemon().factory());
    private final Duration idle;
    private final Tidepool pool;
    private final ShellTables tables;
    private final ShellReport report;

    private volatile State state = State.NONE;
    private volatile Consumer<String> notices = _ -> {};

    private Transaction transaction; // null unless OPEN or READING; only the thread uses these four
    private ShellRows rows;
    private String abortedBecause;
    private ScheduledFuture<?> idling;

    /** Opens the pool. Waits for its nodes. */
    ShellSession(String url, Duration idle) {
        this.idle = idle;
        try {
            pool = ask(() -> Tidepool.open(url));
        } catch (RuntimeException e) {
            thread.shutdownNow();
            throw e;
        }
        tables = new ShellTables(pool);
        report = new ShellReport(pool, url, idle);
        pool.setListener(new PoolListener() {
            @Override
            public void recovered(RecoveryReport recovery) {
                notices.accept("session " + recovery.session() + " was dead and has been recovered");
            }
        });
    }

    /** Sets the listener for events between statements. Other threads call the listener. */
    void tell(Consumer<String> listener) {
        notices = listener;
    }

    State state() {
        return state;
    }

    String greeting() {
        return ask(() -> report.greeting(tables.all().size()));
    }

    /** Returns the tables if the pool answers within {@code GLANCE_MILLIS}; otherwise the tables known before. */
    List<TableLayout> tablesAtAGlance() {
        Future<List<TableLayout>> asked = thread.submit(tables::all);
        try {
            return asked.get(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            asked.cancel(false);
        }
        return tables.known();
    }

    /**
     * Carries out a statement and waits for its result. A {@link StatementException} gives the reason of a failure and
     * the fate of the transaction.
     */
    Answer run(Statement statement) {
        return ask(() -> {
            if (idling != null) idling.cancel(false);
            long trips = pool.traffic().roundTrips();
            long start = System.nanoTime();
            try {
                String text = execute(statement);
                return new Answer(
                        text, System.nanoTime() - start, pool.traffic().roundTrips() - trips);
            } catch (StatementException e) {
                throw e;
            } catch (UnknownOutcomeException e) {
                report.unknown(e.txn());
                throw new StatementException(Sentences.of(e));
            } catch (RuntimeException e) {
                throw new StatementException(Sentences.of(e));
            } finally {
                if (transaction != null) idling = thread.schedule(this::wentIdle, idle.toNanos(), TimeUnit.NANOSECONDS);
            }
        });
    }

    private String execute(Statement statement) {
        return switch (statement) {
            case Statement.Help help -> ShellCommands.help(help.topic());
            case Statement.Tables _ -> tables.list();
            case Statement.Describe describe -> tables.describe(tables.find(describe.table()));
            case Statement.Create create -> create(create);
            case Statement.Drop drop -> outside(() -> tables.drop(drop.table()));
            case Statement.Truncate truncate -> outside(() -> tables.truncate(truncate.table()));
            case Statement.Rename rename -> outside(() -> tables.rename(rename.table(), rename.name()));
            case Statement.Alter alter -> outside(() -> tables.alter(alter.table(), alter.change()));
            case Statement.Count count -> outside(() -> tables.count(count.table()));
            case Statement.Get get ->
                onRows(
                        get.table(),
                        table -> get.keys().forEach(key -> ShellRows.check(table, key)),
                        table -> read(each -> each.get(table, get.keys())));
            case Statement.Rows all -> onRows(all.table(), _ -> {}, table -> rows(table, all.limit()));
            case Statement.Scan scan ->
                onRows(
                        scan.table(),
                        table -> ScanText.of(table, scan),
                        table -> read(each -> each.scan(table, ScanText.of(table, scan), scan.limit())));
            case Statement.Write write ->
                onRows(
                        write.table(),
                        table -> {
                            ShellRows.check(table, write.key());
                            ShellRows.check(table, write.assignments());
                        },
                        table -> write(each -> each.write(write.kind(), table, write.key(), write.assignments())));
            case Statement.Delete delete ->
                onRows(
                        delete.table(),
                        table -> ShellRows.check(table, delete.key()),
                        table -> write(each -> each.delete(table, delete.key())));
            case Statement.Begin begin -> begin(begin.readOnly());
            case Statement.Commit _ -> commit();
            case Statement.Rollback _ -> rollback();
            case Statement.Status _ -> report.status(transactionText());
            case Statement.Timing _, Statement.Quit _ ->
                throw new IllegalStateException("the shell does this: " + statement);
        };
    }

    // ---- records

    /** Checks and runs a statement on records, again if another process has changed the table that was known here. */
    private String onRows(String name, Consumer<TableLayout> check, Function<TableLayout, String> work) {
        TableLayout table = tables.find(name);
        try {
            check.accept(table);
        } catch (StatementException e) {
            TableLayout known = table;
            tables.all();
            table = tables.find(name);
            if (table.schema().equals(known.schema())) throw e;
            check.accept(table);
        }
        try {
            return work.apply(table);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.MISMATCH && e.reason() != StoreException.Reason.UNKNOWN_TABLE)
                throw e;
            tables.all();
            TableLayout now = tables.find(name);
            check.accept(now);
            return work.apply(now);
        }
    }

    private String read(Function<ShellRows, String> work) {
        requireNotAborted();
        return transaction != null ? inside(work) : pool.read(tx -> work.apply(new ShellRows(pool, tx)));
    }

    private String write(Function<ShellRows, String> work) {
        requireNotAborted();
        if (state == State.READING)
            throw new StatementException("the transaction only reads: it was begun with readonly");
        return transaction != null ? inside(work) : pool.compute(tx -> work.apply(new ShellRows(pool, tx)));
    }

    /**
     * Runs a statement of an open transaction. Any exception other than a {@link StatementException} ends the
     * transaction.
     */
    private String inside(Function<ShellRows, String> work) {
        try {
            return work.apply(rows);
        } catch (StatementException e) {
            throw e;
        } catch (RuntimeException e) {
            String why = Sentences.of(e);
            abort(why);
            tables.forget();
            throw new StatementException("the transaction was aborted: " + why + "; begin starts anew");
        }
    }

    private void requireNotAborted() {
        if (state == State.ABORTED)
            throw new StatementException(
                    "the transaction is over (" + abortedBecause + "): type rollback, or begin to start anew");
    }

    /** The rows are read by transactions of their own, which would wait for the locks of an open one. */
    private String rows(TableLayout table, long limit) {
        requireNotAborted();
        if (transaction != null)
            throw new StatementException("rows reads outside of transactions: commit or roll back first");
        return ShellRows.all(pool, table, limit);
    }

    private String create(Statement.Create create) {
        requireNotAborted();
        if (transaction != null)
            throw new StatementException("a table is not made inside a transaction: commit or roll back first");
        return tables.create(create);
    }

    private String outside(Supplier<String> work) {
        requireNotAborted();
        if (transaction != null)
            throw new StatementException(
                    "this is done to whole tables, outside of transactions: commit or roll back first");
        return work.get();
    }

    // ---- transactions

    private String begin(boolean readOnly) {
        if (transaction != null)
            throw new StatementException("a transaction is open already: commit or roll back first");
        transaction = readOnly ? pool.beginReadOnly() : pool.begin();
        rows = new ShellRows(pool, transaction);
        state = readOnly ? State.READING : State.OPEN;
        report.begun();
        return "begun" + (readOnly ? ", reading only" : "");
    }

    private String commit() {
        if (state == State.NONE)
            throw new StatementException("no transaction is open; without begin every statement is one");
        if (state == State.ABORTED) {
            state = State.NONE;
            throw new StatementException("not committed: " + abortedBecause);
        }
        Transaction ending = transaction;
        try {
            if (!ending.commit())
                throw new StatementException("not committed: "
                        + Sentences.why(ending.abortReason(), ending.blockingSession()) + "; nothing was applied");
            return "committed";
        } finally {
            ended(State.NONE, null);
        }
    }

    private String rollback() {
        if (state == State.NONE)
            throw new StatementException("no transaction is open; without begin every statement is one");
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
        String why = "nothing was typed for " + ShellReport.text(idle) + ", so it was rolled back; nothing was applied";
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

    /** Rolls the open transaction back, because one of its statements failed and no person can decide. */
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
                    interrupted = true; // a statement that has begun is completed
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

    /** Leaves the pool. An open transaction is rolled back. */
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
