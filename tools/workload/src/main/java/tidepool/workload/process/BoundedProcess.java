package tidepool.workload.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A process that was started by this one. Every wait for it has a limit. When the limit is reached, the process and its
 * descendants are killed and the wait fails.
 *
 * <p>No other class of the harness starts processes ({@code ProcessesOfTestsTest}), because a wait or a read without a
 * limit hangs the whole run.
 */
public final class BoundedProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Path errors; // null if its standard error is not kept
    private Thread follower;
    private BlockingQueue<Optional<String>> lines;

    private BoundedProcess(String name, Process process, Path errors) {
        this.name = name;
        this.process = process;
        this.errors = errors;
    }

    /**
     * Starts a process.
     *
     * @param name for messages about it
     * @param errors the file to which its standard error is appended
     */
    public static BoundedProcess start(String name, List<String> command, Path errors) throws IOException {
        return new BoundedProcess(
                name,
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                        .start(),
                errors);
    }

    /**
     * Starts a process whose output is only kept.
     *
     * @param name for messages about it
     * @param log the file to which its standard output and its standard error are written
     */
    public static BoundedProcess logged(String name, List<String> command, Path log) throws IOException {
        return new BoundedProcess(
                name,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    /**
     * Starts a process that reads and writes the standard streams of this one.
     *
     * @param name for messages about it
     */
    public static BoundedProcess inherited(String name, List<String> command) throws IOException {
        return new BoundedProcess(name, new ProcessBuilder(command).inheritIO().start(), null);
    }

    /** Runs a program to its end, which has to be good. Returns what it printed. */
    public static String run(List<String> command, Duration limit) throws IOException, InterruptedException {
        StringBuilder said = new StringBuilder();
        Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BoundedProcess process = new BoundedProcess(command.getFirst(), started, null)) {
            process.follow(line -> said.append(line).append('\n'), e -> {}, () -> {});
            if (process.awaitEnd(limit) != 0) throw new IOException(command.getFirst() + " failed: " + said);
        }
        return said.toString();
    }

    // ---- input and output

    /**
     * Reads the standard output in a thread of its own.
     *
     * @param take called with each line
     * @param broken called with an exception of the stream, or of {@code take}, which ends the reading
     * @param end called at the end of the output, however it came
     */
    public void follow(Consumer<String> take, Consumer<Exception> broken, Runnable end) {
        follower = Thread.ofPlatform().daemon().name("follows " + name).start(() -> {
            try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) take.accept(line);
            } catch (IOException | RuntimeException e) {
                broken.accept(e);
            } finally {
                end.run();
            }
        });
    }

    /** Waits for the next line of the standard output; returns null at its end. */
    public String line(Duration limit) {
        if (lines == null) {
            BlockingQueue<Optional<String>> queue = new LinkedBlockingQueue<>();
            lines = queue;
            follow(line -> queue.add(Optional.of(line)), e -> {}, () -> queue.add(Optional.empty()));
        }
        try {
            Optional<String> line = lines.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (line == null) throw expired("does not answer", limit);
            if (line.isEmpty()) lines.add(line); // the end stays the end
            return line.orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Writes a line to the standard input. Does nothing if the process does not read it any more. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // The process has ended; a later check reports why.
        }
    }

    /** Closes the standard input. */
    public void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The process has ended.
        }
    }

    // ---- state

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns how it ended, or that it has not: {@code exit=1}, {@code exit=none}. */
    public String exitText() {
        return "exit=" + (process.isAlive() ? "none" : process.exitValue());
    }

    /** Returns whether it has ended with an exit code other than 0. */
    public boolean hasFailed() {
        return !process.isAlive() && process.exitValue() != 0;
    }

    /** Returns all that it has written to its standard error. */
    public String errors() {
        try {
            return errors == null ? "" : Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException("what " + name + " said cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns a trouble with all that the process has written to its standard error. */
    public String withErrors(String trouble) {
        try {
            String said = errors();
            return said.isBlank() ? trouble : trouble + "\n" + said;
        } catch (UncheckedIOException e) {
            return trouble;
        }
    }

    public long pid() {
        return process.pid();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    // ---- signals and end

    /** Sends a signal such as {@code STOP}. Waits until it is sent. */
    public void signal(String signal) {
        try {
            run(List.of("kill", "-" + signal, Long.toString(pid())), BoundedWait.LIMIT);
        } catch (IOException e) {
            throw new IllegalStateException("SIG" + signal + " does not reach " + name + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits this long for the end of the process. Returns whether it has ended. Kills nothing. */
    public boolean ends(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until the process has ended and all its output was followed; returns its exit code. */
    public int awaitEnd() throws InterruptedException {
        return awaitEnd(BoundedWait.LIMIT);
    }

    /** Waits this long, like {@link #awaitEnd()}. */
    public int awaitEnd(Duration limit) throws InterruptedException {
        if (!ends(limit)) throw expired("does not end", limit);
        // A descendant may keep the stream open.
        if (follower != null && !follower.join(limit)) throw expired("does not close its output", limit);
        return process.exitValue();
    }

    /** Sends SIGKILL and returns at once. */
    public void killLater() {
        process.destroyForcibly();
    }

    /** Sends SIGKILL and waits for the end of the process, also in a thread that is interrupted. */
    public void kill() {
        killLater();
        awaitDeath(process.toHandle());
    }

    /** Sends SIGKILL to the process and to its descendants, and waits for the ends of all. */
    public void killAll() {
        List<ProcessHandle> all = all();
        for (ProcessHandle each : all) each.destroyForcibly();
        for (ProcessHandle each : all) awaitDeath(each);
    }

    @Override
    public void close() {
        kill();
    }

    private List<ProcessHandle> all() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        return all;
    }

    private void awaitDeath(ProcessHandle handle) {
        boolean interrupted = false;
        long start = System.nanoTime();
        for (long left = BoundedWait.LIMIT.toNanos(); handle.isAlive(); ) {
            try {
                handle.onExit().get(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("kill -9 has no effect on " + name, e);
            }
            left = BoundedWait.LIMIT.toNanos() - (System.nanoTime() - start);
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private IllegalStateException expired(String what, Duration limit) {
        for (ProcessHandle each : all()) each.destroyForcibly();
        return BoundedWait.expired(name + " " + what, limit);
    }
}
