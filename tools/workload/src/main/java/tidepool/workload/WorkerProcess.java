package tidepool.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tidepool.protocol.Recovery;
import tidepool.workload.process.BoundedProcess;
import tidepool.workload.process.BoundedWait;
import tidepool.workload.process.JvmCommand;

/** A {@link WorkerMain} in its own JVM, seen from the parent process. */
public final class WorkerProcess implements AutoCloseable {
    /** A JVM that opens a pool takes 2 s of processor time. On a busy machine it may get 2 % of a processor. */
    private static final long MAX_BEGIN_SECONDS = 480;

    private static final long STOP_NANOS = 200_000;
    private static final Duration POLL = Duration.ofNanos(20_000);
    private static final long LOOK_NANOS = 1_000_000;

    private final WorkerOptions options;
    private final BoundedProcess process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final List<TxnTally> tallies = new ArrayList<>(); // the lists are guarded by this
    private final List<Recovered> recoveries = new ArrayList<>();
    private final List<Noticed> notices = new ArrayList<>();
    private final List<Passed> passes = new ArrayList<>();
    private final List<String> aborts = new ArrayList<>();
    private volatile int session;
    private volatile long commits;
    private volatile long appends;
    private volatile long abortCount;
    private final ThreadDump dump = new ThreadDump();
    private final AtomicInteger reports = new AtomicInteger();
    private volatile String failure;
    private volatile boolean done;

    /** A recovery by a worker; the times are those of {@link System#nanoTime}. */
    public record Recovered(int session, int coordinators, int finished, int undone, int freed, Recovery.Times times) {}

    /** The moment at which a worker noticed that a session is dead. */
    public record Noticed(long nanos, int session) {}

    /** A commit that had waited for a lock of a dead session, and its time since the first attempt began. */
    public record Passed(long nanos, int session, long waitedNanos) {}

    private WorkerProcess(WorkerOptions options, BoundedProcess process) {
        this.options = options;
        this.process = process;
        process.follow(this::take, this::broken, ready::countDown);
    }

    /**
     * Starts a worker.
     *
     * @param jvmOptions more options for its JVM
     */
    public static WorkerProcess start(WorkerOptions options, String... jvmOptions) {
        List<String> command = JvmCommand.of(List.of(jvmOptions), WorkerMain.class.getName(), options.arguments());
        try {
            return new WorkerProcess(
                    options, BoundedProcess.start("worker " + options.number(), command, options.errors()));
        } catch (IOException e) {
            throw new UncheckedIOException("a worker cannot be started: " + e.getMessage(), e);
        }
    }

    /** A killed process leaves half a line. */
    private void broken(Exception e) {
        if (process.isAlive()) failure = "its words cannot be understood: " + e;
    }

    private void take(String line) {
        String[] words = line.split(" ", 2);
        String rest = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "ready" -> {
                session = Integer.parseInt(rest);
                ready.countDown();
            }
            case "session" -> session = Integer.parseInt(rest);
            case "progress" -> {
                long[] numbers = numbers(rest);
                commits = numbers[0];
                appends = numbers[1];
                abortCount = numbers[2];
                reports.incrementAndGet();
            }
            case "recovered" -> {
                long[] n = numbers(rest);
                Recovery.Times times = new Recovery.Times(n[5], n[6], n[7], n[8]);
                add(recoveries, new Recovered((int) n[0], (int) n[1], (int) n[2], (int) n[3], (int) n[4], times));
            }
            case "noticed" -> {
                long[] n = numbers(rest);
                add(notices, new Noticed(n[0], (int) n[1]));
            }
            case "passed" -> {
                long[] n = numbers(rest);
                add(passes, new Passed(n[0], (int) n[1], n[2]));
            }
            case "tally" -> add(tallies, TxnTally.parse(rest));
            case "aborts" -> add(aborts, rest);
            case "failed" -> failure = rest;
            case "done" -> done = true;
            default -> dump.add(line); // output of a library, or the thread dump of the JVM
        }
    }

    private static long[] numbers(String text) {
        String[] words = text.split(" ", -1);
        long[] numbers = new long[words.length];
        for (int i = 0; i < words.length; i++) numbers[i] = Long.parseLong(words[i]);
        return numbers;
    }

    private synchronized <T> void add(List<T> list, T one) {
        list.add(one);
    }

    /** Waits until the worker has opened the pool. */
    public void awaitReady() throws InterruptedException {
        if (!ready.await(MAX_BEGIN_SECONDS, TimeUnit.SECONDS) || session == 0)
            throw new IllegalStateException(
                    "worker " + options.number() + " did not begin: " + trouble() + "\n" + diagnosis());
    }

    /**
     * Returns the state of the worker: its processor time, its threads and their stacks, and its log. Waits for the
     * thread dump.
     */
    String diagnosis() throws InterruptedException {
        String cpu = process.handle()
                .info()
                .totalCpuDuration()
                .map(used -> used.toMillis() + " ms of processor time")
                .orElse("no processor time known");
        if (process.isAlive()) dump.of(this::askForThreads);
        return cpu + "\n" + dump.text() + complaints();
    }

    /** Asks for a thread dump. A JVM prints it on SIGQUIT. */
    private void askForThreads() {
        process.signal("QUIT");
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns whether the worker has reported that it works. */
    public boolean isReady() {
        return session != 0;
    }

    /**
     * Sends SIGKILL: no code of the worker runs any more. Waits until the pool knows it: the kernel has released the
     * lock of its session, or a memory node suspects it. Returns the latest moment at which the death was not known.
     *
     * @param look inspects the locks of the worker. Called when the worker executes nothing any more, and again as long
     * as its death is not known, because its verbs may still be on their way at first.
     * @param isDead whether the death is known
     */
    public long kill(Runnable look, BooleanSupplier isDead) {
        process.killLater();
        LockSupport.parkNanos(STOP_NANOS); // running threads are interrupted at once, the others never run again
        look.run();
        AtomicLong asked = new AtomicLong(System.nanoTime());
        AtomicLong before = new AtomicLong(asked.get());
        AtomicLong looked = new AtomicLong(asked.get());
        BooleanSupplier isKnown = () -> {
            asked.set(System.nanoTime());
            return isDead.getAsBoolean();
        };
        String what = "the pool does not notice that worker " + options.number() + " is dead";
        BoundedWait.until(what, BoundedWait.LIMIT, POLL, isKnown, () -> {
            before.set(asked.get());
            if (before.get() - looked.get() <= LOOK_NANOS) return;
            look.run();
            looked.set(before.get());
        });
        return before.get();
    }

    /** Sends SIGSTOP: no code of the worker runs until {@link #goOn}; it is not dead. */
    public void stall() {
        process.signal("STOP");
    }

    /** Sends SIGCONT. */
    public void goOn() {
        process.signal("CONT");
    }

    /** Waits until a killed process has ended completely. */
    public void bury() throws InterruptedException {
        process.awaitEnd();
    }

    /** Asks the worker to end and waits for its end. */
    public void stop() throws InterruptedException {
        process.endInput();
        process.awaitEnd();
        if (!done) throw new IllegalStateException("worker " + options.number() + " failed: " + trouble());
    }

    /**
     * Sends SIGKILL at a moment at which the worker may not even have opened the pool. Waits until the process has
     * ended.
     */
    public void killEarly() throws InterruptedException {
        process.killLater();
        bury();
    }

    /** Ends the worker in any state. */
    @Override
    public void close() {
        process.killLater();
    }

    private String trouble() {
        return failure == null ? process.exitText() : failure;
    }

    /** Returns the failure that the worker reported, or null; a worker ends with its failure. */
    public String failure() {
        return failure;
    }

    /** Returns the log of the worker so far. */
    public String complaints() {
        return process.errors();
    }

    public WorkerOptions options() {
        return options;
    }

    public long pid() {
        return process.pid();
    }

    public int session() {
        return session;
    }

    /** Returns the commits of all its threads, as last reported. */
    public long commits() {
        return commits;
    }

    /** Returns the number of its progress reports. */
    int reports() {
        return reports.get();
    }

    /** Returns the commits that were recorded in a history, as last reported. */
    public long appends() {
        return appends;
    }

    public long abortCount() {
        return abortCount;
    }

    public synchronized List<TxnTally> tallies() {
        return List.copyOf(tallies);
    }

    public synchronized List<Recovered> recoveries() {
        return List.copyOf(recoveries);
    }

    public synchronized List<Noticed> notices() {
        return List.copyOf(notices);
    }

    public synchronized List<Passed> passes() {
        return List.copyOf(passes);
    }

    /** Returns lines of reason and count. */
    public synchronized List<String> aborts() {
        return List.copyOf(aborts);
    }
}
