package tidepool.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.Tidepool;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;
import tidepool.spi.PoolAccess;
import tidepool.txn.AbortReason;
import tidepool.workload.process.BoundedWait;

/**
 * A client process. It opens the pool and works until its standard input has a line or ends. So it ends with its parent
 * process, and it may be killed at any moment. It reports by lines:
 *
 * <pre>
 *   ready SESSION                          the pool is open, work begins
 *   progress COMMITS APPENDS ABORTS        five times a second
 *   session SESSION                        it has joined anew, because the fabric failed
 *   noticed NANOS SESSION                  a session is dead
 *   recovered SESSION COORDINATORS FINISHED UNDONE FREED BEGUN REVOKED RESOLVED UNLOCKED
 *   passed NANOS SESSION WAITED            a transaction committed that a dead session had stood in the way of
 *   tally … · aborts REASON COUNT · done   at the end
 *   failed WHY
 * </pre>
 *
 * Times are those of the machine's monotonic clock, which all processes share on Linux.
 */
public final class WorkerMain {
    private static final long PROGRESS_NANOS = 200_000_000;

    private final WorkerOptions options;
    private final List<AuditedTeller> tellers = new ArrayList<>();
    private final List<Appender> appenders = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>(); // guarded by itself
    private volatile boolean stopped;

    private WorkerMain(WorkerOptions options) {
        this.options = options;
    }

    public static void main(String[] arguments) {
        int status = 1;
        try {
            status = new WorkerMain(WorkerOptions.parse(arguments)).run();
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
        System.exit(status);
    }

    private int run() throws IOException {
        try (Tidepool pool = Tidepool.open(options.url());
                HistoryRecorder recorder =
                        HistoryRecorder.into(options.history(), () -> PoolAccess.historyTick(pool), System::nanoTime)) {
            pool.setListener(new Telling());
            AuditedBank bank = new AuditedBank(pool, options.accounts(), options.hot());
            ListAppend lists = new ListAppend(pool, options.width(), options.longest(), options.rows());
            start(bank, lists, recorder);
            int session = pool.sessionNumber();
            say("ready", session);
            Thread watch = Thread.ofPlatform().daemon().start(this::awaitEnd);
            while (watch.isAlive() && failures() == 0) {
                LockSupport.parkNanos(PROGRESS_NANOS);
                if (session != pool.sessionNumber()) {
                    session = pool.sessionNumber();
                    say("session", session);
                }
                progress(pool);
            }
            finish(pool);
        }
        if (failures() > 0) return 1;
        say("done");
        return 0;
    }

    private void start(AuditedBank bank, ListAppend lists, HistoryRecorder recorder) {
        Randomness random = new Randomness(options.seed()).fork("worker " + options.number());
        for (int i = 0; i < options.tellers(); i++) {
            TellerBook book = TellerBook.open(options.book(i), 2 * options.accounts());
            tellers.add(new AuditedTeller(bank, random.fork("teller " + i), book));
        }
        for (int i = 0; i < options.appenders(); i++)
            appenders.add(new Appender(lists, recorder, options.process(i), random.fork("appender " + i)));
        for (AuditedTeller teller : tellers) threads.add(thread(teller::next, 0));
        for (Appender appender : appenders) threads.add(thread(appender::next, options.appendPauseMicros() * 1000L));
    }

    private Thread thread(Runnable step, long pauseNanos) {
        return Thread.ofPlatform().start(() -> {
            try {
                while (!stopped) {
                    step.run();
                    if (pauseNanos > 0) LockSupport.parkNanos(pauseNanos);
                }
            } catch (RuntimeException | Error e) {
                failed(e);
                synchronized (failures) {
                    failures.add(e);
                }
            }
        });
    }

    private int failures() {
        synchronized (failures) {
            return failures.size();
        }
    }

    /** Waits for input. Any input, even the end of the stream, ends the worker. */
    private void awaitEnd() {
        try {
            int _ = System.in.read();
        } catch (IOException e) {
            // counts as the end of the stream
        }
    }

    private void progress(Tidepool pool) {
        long appends = 0;
        for (Appender appender : appenders) appends += appender.tally().commits();
        say("progress " + pool.statistics().commits() + " " + appends + " "
                + pool.statistics().aborts());
    }

    private void finish(Tidepool pool) {
        stopped = true;
        for (Thread thread : threads) join(thread);
        progress(pool);
        for (AuditedTeller teller : tellers) for (TxnTally tally : teller.tallies()) say("tally " + tally.text());
        for (Appender appender : appenders) say("tally " + appender.tally().text());
        for (AbortReason reason : AbortReason.values())
            say("aborts " + reason + " " + pool.statistics().aborts(reason));
    }

    private static void join(Thread thread) {
        try {
            BoundedWait.join(thread);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports recoveries. */
    private static final class Telling implements PoolListener {
        @Override
        public void noticed(int deadSession) {
            say("noticed", System.nanoTime(), deadSession);
        }

        @Override
        public void recovered(RecoveryReport report) {
            // The project's clock begins with the process; the machine's clock is common to all processes.
            long shift = System.nanoTime() - Clock.current().nowNanos();
            say(
                    "recovered",
                    report.session(),
                    report.coordinators(),
                    report.finished(),
                    report.undone(),
                    report.locksFreed(),
                    report.begunNanos() + shift,
                    report.revokedNanos() + shift,
                    report.resolvedNanos() + shift,
                    report.unlockedNanos() + shift);
        }

        @Override
        public void passed(int deadSession, long waitedNanos) {
            say("passed", System.nanoTime(), deadSession, waitedNanos);
        }
    }

    /**
     * Prints a line without the operator +, whose first use at each place takes a millisecond, for which others would
     * wait.
     */
    private static void say(String word, long... numbers) {
        StringBuilder line = new StringBuilder(word);
        for (long number : numbers) line.append(' ').append(number);
        say(line.toString());
    }

    private static void failed(Throwable e) {
        e.printStackTrace();
        say("failed " + e);
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
