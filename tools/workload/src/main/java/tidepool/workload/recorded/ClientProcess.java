package tidepool.workload.recorded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tidepool.txn.AbortReason;
import tidepool.workload.EventCounts;
import tidepool.workload.TxnTally;
import tidepool.workload.site.JvmCommand;

/** A {@link ClientMain} in its own JVM, seen from the parent process. */
final class ClientProcess implements AutoCloseable {
    private static final long MAX_SECONDS = 120;

    private final ClientMain.Orders orders;
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private final CountDownLatch standby = new CountDownLatch(1);
    private final CountDownLatch ready = new CountDownLatch(1);

    // The last reports of the process; guarded by this.
    private TxnTally tally;
    private EventCounts facts = new EventCounts();
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

    private ClientProcess(ClientMain.Orders orders, Path errors, Process process) {
        this.orders = orders;
        this.errors = errors;
        this.process = process;
        this.tally = new TxnTally(orders.spec().name());
        this.reader = Thread.ofPlatform().daemon().start(this::follow);
    }

    /** Starts a process, which opens the pool and stands by. */
    static ClientProcess start(ClientMain.Orders orders, Path errors, List<String> jvmOptions) {
        ProcessBuilder builder = JvmCommand.of(jvmOptions, ClientMain.class.getName(), orders.words());
        try {
            return new ClientProcess(
                    orders, errors, builder.redirectError(errors.toFile()).start());
        } catch (IOException e) {
            throw new UncheckedIOException("a client process cannot be started: " + e.getMessage(), e);
        }
    }

    private void follow() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) take(line);
        } catch (IOException | RuntimeException e) {
            // A killed process leaves half a line.
            if (!killed) failure = "its words cannot be understood: " + e;
        }
        standby.countDown();
        ready.countDown();
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
            case "facts" -> facts = EventCounts.parse(rest);
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
        say("go " + count);
    }

    /** Waits until the process works. */
    void awaitReady() throws InterruptedException {
        if (!ready.await(MAX_SECONDS, TimeUnit.SECONDS) || !begun)
            throw new IllegalStateException("client process " + orders.number() + " did not begin: " + trouble());
    }

    private void say(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // The process has ended; a later check reports why.
        }
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
        process.destroyForcibly().waitFor();
        reader.join();
    }

    /**
     * Lets the process kill itself when its threads have reached these places. Waits until it has ended, or this time
     * has passed.
     */
    void die(List<AimedDeath.Aim> aims, long millis) throws InterruptedException {
        killed = true;
        say("die " + aims.stream().map(AimedDeath.Aim::text).collect(Collectors.joining(" ")));
        process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns the places of its threads at its death, of those that had reached theirs. */
    synchronized List<Deaths.Place> places() {
        return List.copyOf(places);
    }

    /** Asks the process to end and waits for its end. */
    void stop() throws InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
        }
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS))
            throw new IllegalStateException("client process " + orders.number() + " does not end");
        reader.join();
        requireSound();
        if (!done) throw new IllegalStateException("client process " + orders.number() + " failed: " + trouble());
    }

    /** Throws the failure of the process, if there is one. */
    void requireSound() {
        boolean fell = !process.isAlive() && process.exitValue() != 0;
        if (failure != null || fell && !killed)
            throw new IllegalStateException("client process " + orders.number() + " failed: " + trouble());
    }

    private String trouble() {
        String what = failure == null ? "exit=" + (process.isAlive() ? "none" : process.exitValue()) : failure;
        try {
            String said = Files.readString(errors);
            return said.isBlank() ? what : what + "\n" + said;
        } catch (IOException e) {
            return what;
        }
    }

    /** Ends the process in any state. */
    @Override
    public void close() {
        killed = true;
        process.destroyForcibly();
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
        all.facts.add(facts);
        all.recoveries.add(recoveries);
        aborts.all().forEach((reason, count) -> all.addAborts(AbortReason.valueOf(reason), count));
    }
}
