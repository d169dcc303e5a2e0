package tidepool.workload.recorded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tidepool.protocol.AbortReason;
import tidepool.workload.Facts;
import tidepool.workload.Tally;
import tidepool.workload.site.ChildJvm;

/** A {@link ClientMain} in a JVM of its own, seen by the one who started it. */
final class ClientProcess implements AutoCloseable {
    private static final long MOST_SECONDS = 120;

    private final ClientMain.Orders orders;
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Progress progress; // guarded by this
    private volatile long commits;
    private volatile String failure;
    private volatile boolean begun;
    private volatile boolean done;
    private volatile boolean killed;

    private ClientProcess(ClientMain.Orders orders, Path errors, Process process) {
        this.orders = orders;
        this.errors = errors;
        this.process = process;
        this.progress = new Progress(orders.spec().name());
        this.reader = Thread.ofPlatform().daemon().start(this::follow);
    }

    static ClientProcess start(ClientMain.Orders orders, Path errors) {
        ProcessBuilder builder = ChildJvm.of(List.of(), ClientMain.class.getName(), orders.words());
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
        ready.countDown();
    }

    private synchronized void take(String line) {
        String[] words = line.split(" ", 2);
        String rest = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "ready" -> {
                begun = true;
                ready.countDown();
            }
            case "progress" -> commits = Long.parseLong(rest);
            case "tally" -> progress.tally.add(Tally.parse(rest));
            case "facts" -> progress.facts.add(Facts.parse(rest));
            case "aborts" -> {
                int space = rest.indexOf(' ');
                progress.addAborts(
                        AbortReason.valueOf(rest.substring(0, space)), Long.parseLong(rest.substring(space + 1)));
            }
            case "failed" -> failure = rest;
            case "done" -> done = true;
            default -> {} // a library that talks
        }
    }

    /** Waits until it works. */
    void awaitReady() throws InterruptedException {
        if (!ready.await(MOST_SECONDS, TimeUnit.SECONDS) || !begun)
            throw new IllegalStateException("client process " + orders.number() + " did not begin: " + trouble());
    }

    boolean isReady() {
        return begun;
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

    ClientMain.Orders orders() {
        return orders;
    }

    /** What it told at its end. */
    synchronized void addTo(Progress all) {
        all.tally.add(progress.tally);
        all.facts.add(progress.facts);
        progress.aborts().forEach(all::addAborts);
    }
}
