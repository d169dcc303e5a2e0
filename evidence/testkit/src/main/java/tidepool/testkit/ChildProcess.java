package tidepool.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process of a test. Every wait has a deadline. When it passes, the wait fails with what the process printed and the
 * thread dumps of the JVMs among the process and its descendants, and kills all of them. {@link #close} kills the
 * process and its descendants too.
 *
 * <p>Both outputs are read while the process runs, so that a full pipe never stops it.
 */
public final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final long deadlineNanos;
    private final Writer input;
    private final Printed output;
    private final Printed errors;

    ChildProcess(Process process, long deadlineNanos, Runnable gone) {
        this.process = process;
        this.deadlineNanos = deadlineNanos;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.output = new Printed(process.getInputStream(), () -> {
            process.onExit().join();
            gone.run();
        });
        this.errors = new Printed(process.getErrorStream(), () -> {});
    }

    /** Prepares a JVM with the class path of this one. */
    public static ChildStart jvm(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return new ChildStart(command);
    }

    /** Prepares a program. */
    public static ChildStart program(String... command) {
        return new ChildStart(List.of(command));
    }

    /** Returns the {@code java} of this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the class path of the tests. Surefire hides it in the manifest of a jar. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    // ---- input and output

    /** Writes a line to the standard input. */
    public void tell(String line) {
        write(line + "\n");
    }

    /** Writes text to the standard input. */
    public void write(String text) {
        try {
            input.write(text);
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the process does not read: " + errors.all(), e);
        }
    }

    /** Writes text to the standard input and closes it. */
    public ChildProcess finish(String text) {
        write(text);
        try {
            input.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Waits for the next line of the standard output; returns null at its end. */
    public String line() {
        return line(deadlineNanos);
    }

    String line(long limitNanos) {
        return output.line(this, limitNanos);
    }

    /** Waits until the process closes its standard output; returns the text after the last {@link #line}. */
    public String rest() {
        return output.rest(this, "close its standard output");
    }

    /** Waits until the process closes its standard output; returns the lines after the last {@link #line}. */
    public List<String> lines() {
        return rest().lines().toList();
    }

    /** Returns what the process has printed to its standard error so far. */
    public String errors() {
        return errors.all();
    }

    // ---- signals and end

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Sends a signal such as {@code INT}. */
    public void signal(String name) {
        signal(name, List.of(process.toHandle()));
    }

    /** Sends a signal to several processes by one call. */
    public static void signal(String name, List<ProcessHandle> targets) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        for (ProcessHandle each : targets) command.add(Long.toString(each.pid()));
        try (ChildProcess kill = new ChildStart(command).start()) {
            if (kill.exitCode() != 0) throw new AssertionError(String.join(" ", command) + ": " + kill.errors());
        }
    }

    /** Waits for the end of the process; returns its exit code. */
    public int exitCode() {
        try {
            if (!process.waitFor(deadlineNanos, TimeUnit.NANOSECONDS)) throw expired("end", deadlineNanos);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        errors.rest(this, "close its standard error");
        return process.exitValue();
    }

    /** Kills the process, as {@code kill -9} does, and waits for its end. Its descendants live on. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Sends {@code kill -9} and returns at once. */
    public void killLater() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        killAll();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(deadlineNanos, TimeUnit.NANOSECONDS))
                throw new AssertionError("kill -9 has no effect");
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private List<ProcessHandle> all() {
        List<ProcessHandle> all = new ArrayList<>(descendants());
        all.add(process.toHandle());
        return all;
    }

    private void killAll() {
        for (ProcessHandle each : all()) each.destroyForcibly();
    }

    /** Ends the process and its descendants; returns the error to throw. */
    private AssertionError expired(String what, long limitNanos) {
        StringBuilder text = new StringBuilder("the process did not " + what + " within "
                + TimeUnit.NANOSECONDS.toSeconds(limitNanos) + " s: "
                + process.info().commandLine().orElse("already gone"));
        text.append("\n--- its output\n").append(output.all());
        text.append("\n--- its errors\n").append(errors.all());
        for (ProcessHandle each : all()) text.append(dump(each));
        killAll();
        return new AssertionError(text.toString());
    }

    /** Returns the threads of a JVM; nothing of another program. */
    private static String dump(ProcessHandle handle) {
        if (!handle.info().command().orElse("").endsWith("/java")) return "";
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Path file = Files.createTempFile("threads", ".txt");
            try {
                Process dump = new ProcessBuilder(jcmd.toString(), Long.toString(handle.pid()), "Thread.print")
                        .redirectErrorStream(true)
                        .redirectOutput(file.toFile())
                        .start();
                if (!dump.waitFor(20, TimeUnit.SECONDS)) dump.destroyForcibly();
                return "\n--- threads of process " + handle.pid() + "\n" + Files.readString(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            return "\n--- no threads of process " + handle.pid() + ": " + e;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(e);
    }

    /** The text that a process prints, and a reader's place in it. */
    private static final class Printed {
        private final StringBuilder text = new StringBuilder(); // guarded by this
        private int at; // guarded by this
        private boolean ended; // guarded by this

        Printed(InputStream stream, Runnable atEnd) {
            Thread.ofPlatform().daemon().name("output of a process").start(() -> follow(stream, atEnd));
        }

        private void follow(InputStream stream, Runnable atEnd) {
            char[] some = new char[8192];
            try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
                for (int n = reader.read(some); n >= 0; n = reader.read(some)) append(some, n);
            } catch (IOException e) {
                // The process was killed.
            } finally {
                try {
                    atEnd.run();
                } finally {
                    end();
                }
            }
        }

        private synchronized void append(char[] some, int n) {
            text.append(some, 0, n);
            notifyAll();
        }

        private synchronized void end() {
            ended = true;
            notifyAll();
        }

        synchronized String all() {
            return text.toString();
        }

        synchronized String line(ChildProcess child, long limitNanos) {
            long start = System.nanoTime();
            int from = at;
            for (; ; ) {
                int end = text.indexOf("\n", from);
                if (end < 0 && ended && at == text.length()) return null;
                if (end < 0 && ended) end = text.length();
                if (end >= 0) {
                    String line = text.substring(at, end);
                    at = Math.min(end + 1, text.length());
                    return line;
                }
                from = text.length();
                pause(child, start, limitNanos, "print a line");
            }
        }

        synchronized String rest(ChildProcess child, String what) {
            long start = System.nanoTime();
            while (!ended) pause(child, start, child.deadlineNanos, what);
            String rest = text.substring(at);
            at = text.length();
            return rest;
        }

        /** Waits for more text; callers look at the text again in a loop. */
        @SuppressWarnings("WaitNotInLoop")
        private synchronized void pause(ChildProcess child, long start, long limitNanos, String what) {
            long left = limitNanos - (System.nanoTime() - start);
            if (left <= 0) throw child.expired(what, limitNanos);
            try {
                wait(left / 1_000_000 + 1);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }
}
