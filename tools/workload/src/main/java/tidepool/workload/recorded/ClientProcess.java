package tidepool.workload.recorded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tidepool.txn.AbortReason;
import tidepool.workload.EventCounts;
import tidepool.workload.TxnTally;
import tidepool.workload.process.BoundedProcess;
import tidepool.workload.process.JvmCommand;

/** A {@link ClientMain} in its own JVM, seen from the parent process. */
final class ClientProcess implements AutoCloseable {
    private static final long MAX_SECONDS = 120;

    private final ClientMain.Orders orders;
    private final BoundedProcess process;
    private final CountDownLatch standby = new CountDownLatch(1);
    private final CountDownLatch ready = new CountDownLatch(1);

    // The last reports of the process; guarded by this.
    private TxnTally tally;
    private EventCounts eventCounts = new EventCounts();
    private EventCounts passed = new EventCounts();
    private EventCounts recoveries = new EventCounts();
    private EventCounts aborts = new EventCounts();
    private final List<Deaths.Place> places = new ArrayList<>();

    private volatile long transactions;
    private volatile long commits;
    private volatile String failure;
    private volatile boolean opened;
    private volatile boolean begun;
    private volatile boolean done;
    private volatile boolean killed;

    private ClientProcess(ClientMain.Orders orders, BoundedProcess process) {
        this.orders = orders;
        this.process = process;
        this.tally = new TxnTally(orders.spec().name());
        process.follow(this::take, this::broken, () -> {
            standby.countDown();
            ready.countDown();
        });
    }

    /** Starts a process, which opens the pool and stands by. */
    static ClientProcess start(ClientMain.Orders orders, Path errors, List<String> jvmOptions) {
        List<String> command = JvmCommand.of(jvmOptions, ClientMain.class.getName(), orders.words());
        try {
            return new ClientProcess(
                    orders, BoundedProcess.start("client process " + orders.number(), command, errors));
        } catch (IOException e) {
            throw new UncheckedIOException("a client process cannot be started: " + e.getMessage(), e);
        }
    }

    /** A killed process leaves half a line. */
    private void broken(Exception e) {
        if (!killed) failure = "its words cannot be understood: " + e;
    }

    private synchronized void take(String line) {
        String[] words = line.split(" ", 2);
        String rest = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "standby" -> {
                opened = true;
                standby.countDown();
            }
            case "ready" -> {
                begun = true;
                ready.countDown();
            }
            case "progress" -> commits = Long.parseLong(rest);
            case "tally" -> tally = TxnTally.parse(rest);
            case "facts" -> eventCounts = EventCounts.parse(rest);
            case "passed" -> passed = EventCounts.parse(rest);
            case "recoveries" -> recoveries = EventCounts.parse(rest);
            case "aborts" -> aborts = EventCounts.parse(rest);
            case "dying" -> places.add(Deaths.Place.parse(rest));
            case "failed" -> failure = rest;
            case "done" -> done = true;
            default -> {} // output of a library
        }
    }

    /** Waits until the process has opened the pool. */
    void awaitStandby() throws InterruptedException {
        if (!standby.await(MAX_SECONDS, TimeUnit.SECONDS) || !opened)
            throw new IllegalStateException("client process " + orders.number() + " did not begin: " + trouble());
    }

    /** Starts the work. */
    void go(long count) {
        transactions = count;
        process.tell("go " + count);
    }

    /** Waits until the process works. */
    void awaitReady() throws InterruptedException {
        if (!ready.await(MAX_SECONDS, TimeUnit.SECONDS) || !begun)
            throw new IllegalStateException("client process " + orders.number() + " did not begin: " + trouble());
    }

    boolean isReady() {
        return begun;
    }

    /** Returns whether the process has ended in good order. */
    boolean isDone() {
        return done;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL: no code of the process runs any more. Waits until it has ended. */
    void kill() throws InterruptedException {
        killed = true;
        process.killLater();
        process.awaitEnd();
    }

    /**
     * Lets the process kill itself when its threads have reached these places. Waits until it has ended, or this time
     * has passed.
     */
    void die(List<AimedDeath.Aim> aims, long millis) throws InterruptedException {
        killed = true;
        process.tell("die " + aims.stream().map(AimedDeath.Aim::text).collect(Collectors.joining(" ")));
        process.ends(Duration.ofMillis(millis));
    }

    /** Returns the places of its threads at its death, of those that had reached theirs. */
    synchronized List<Deaths.Place> places() {
        return List.copyOf(places);
    }

    /** Asks the process to end and waits for its end. */
    void stop() throws InterruptedException {
        process.endInput();
        process.awaitEnd();
        requireSound();
        if (!done) throw new IllegalStateException("client process " + orders.number() + " failed: " + trouble());
    }

    /** Throws the failure of the process, if there is one. */
    void requireSound() {
        if (failure != null || process.hasFailed() && !killed)
            throw new IllegalStateException("client process " + orders.number() + " failed: " + trouble());
    }

    private String trouble() {
        return process.withErrors(failure == null ? process.exitText() : failure);
    }

    /** Ends the process in any state. */
    @Override
    public void close() {
        killed = true;
        process.killLater();
    }

    /** Returns the commits, as last reported. */
    long commits() {
        return commits;
    }

    /** Returns the number of transactions that the process has to run. */
    long transactions() {
        return transactions;
    }

    ClientMain.Orders orders() {
        return orders;
    }

    /** Returns the steps of transactions whose rounds it has posted, as last reported. */
    synchronized EventCounts passed() {
        return passed;
    }

    /** Adds the last reports of the process. */
    synchronized void addTo(RunProgress all) {
        all.tally.add(tally);
        all.eventCounts.add(eventCounts);
        all.recoveries.add(recoveries);
        aborts.all().forEach((reason, count) -> all.addAborts(AbortReason.valueOf(reason), count));
    }
}
