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
import tidepool.protocol.AbortReason;
import tidepool.workload.Facts;
import tidepool.workload.Tally;
import tidepool.workload.site.ChildJvm;

/** A {@link ClientMain} in a JVM of its own, as the process sees it that has started it. */
final class ClientProcess implements AutoCloseable {
    private static final long MOST_SECONDS = 120;

    private final ClientMain.Orders orders;
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private final CountDownLatch standby = new CountDownLatch(1);
    private final CountDownLatch ready = new CountDownLatch(1);

    // What it told last; guarded by this.
    private Tally tally;
    private Facts facts = new Facts();
    private Facts passed = new Facts();
    private Facts recoveries = new Facts();
    private Facts aborts = new Facts();
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
        this.tally = new Tally(orders.spec().name());
        this.reader = Thread.ofPlatform().daemon().start(this::follow);
    }

    /** Starts one that opens the pool and stands by. */
    static ClientProcess start(ClientMain.Orders orders, Path errors, List<String> jvmOptions) {
        ProcessBuilder builder = ChildJvm.of(jvmOptions, ClientMain.class.getName(), orders.words());
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
            case "tally" -> tally = Tally.parse(rest);
            case "facts" -> facts = Facts.parse(rest);
            case "passed" -> passed = Facts.parse(rest);
            case "recoveries" -> recoveries = Facts.parse(rest);
            case "aborts" -> aborts = Facts.parse(rest);
            case "dying" -> places.add(Deaths.Place.parse(rest));
            case "failed" -> failure = rest;
            case "done" -> done = true;
            default -> {} // a library that talks
        }
    }

    /** Waits until it has opened the pool. */
    void awaitStandby() throws InterruptedException {
        if (!standby.await(MOST_SECONDS, TimeUnit.SECONDS) || !opened)
            throw new IllegalStateException("client process " + orders.number() + " did not begin: " + trouble());
    }

    /** Lets it work. */
    void go(long count) {
        transactions = count;
        say("go " + count);
    }

    /** Waits until it works. */
    void awaitReady() throws InterruptedException {
        if (!ready.await(MOST_SECONDS, TimeUnit.SECONDS) || !begun)
            throw new IllegalStateException("client process " + orders.number() + " did not begin: " + trouble());
    }

    private void say(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended; the next question about it tells why.
        }
    }

    boolean isReady() {
        return begun;
    }

    /** Whether it has ended in good order. */
    boolean isDone() {
        return done;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: none of its code runs any more. Waits until it is gone. */
    void kill() throws InterruptedException {
        killed = true;
        process.destroyForcibly().waitFor();
        reader.join();
    }

    /** Lets it kill itself when its threads stand at those places. Waits until it is gone, or that time has passed. */
    void die(List<AimedDeath.Aim> aims, long millis) throws InterruptedException {
        killed = true;
        say("die " + aims.stream().map(AimedDeath.Aim::text).collect(Collectors.joining(" ")));
        process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Where its threads stood when it died, of those that had come to their places. */
    synchronized List<Deaths.Place> places() {
        return List.copyOf(places);
    }

    /** Asks it to end, and waits for that. */
    void stop() throws InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
        }
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS))
            throw new IllegalStateException("client process " + orders.number() + " does not end");
        reader.join();
        requireSound();
        if (!done) throw new IllegalStateException("client process " + orders.number() + " failed: " + trouble());
    }

    /** Throws what it complains about, if it does. */
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

    /** Ends it, whatever it does. */
    @Override
    public void close() {
        killed = true;
        process.destroyForcibly();
    }

    /** Commits, as it last told. */
    long commits() {
        return commits;
    }

    /** How many transactions it was told to run. */
    long transactions() {
        return transactions;
    }

    ClientMain.Orders orders() {
        return orders;
    }

    /** Steps of transactions whose rounds it has posted, as it last told. */
    synchronized Facts passed() {
        return passed;
    }

    /** Adds what it told last. */
    synchronized void addTo(Progress all) {
        all.tally.add(tally);
        all.facts.add(facts);
        all.recoveries.add(recoveries);
        aborts.all().forEach((reason, count) -> all.addAborts(AbortReason.valueOf(reason), count));
    }
}
