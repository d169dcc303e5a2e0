package tidepool.fabric.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tidepool.testkit.ChildProcess;

/**
 * A second process of a test: it gets requests by lines on its standard input and answers by lines on its standard
 * output. It can be killed, stopped and continued.
 */
final class ChildJvm implements AutoCloseable {
    private static final long STOP_SECONDS = 120;
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");

    private final ChildProcess process;

    private ChildJvm(ChildProcess process) {
        this.process = process;
    }

    static ChildJvm start(Class<?> main, String... arguments) {
        return new ChildJvm(ChildProcess.jvm(OPTIONS, main, arguments).start());
    }

    long pid() {
        return process.pid();
    }

    void tell(String line) {
        process.tell(line);
    }

    /** Waits for the next line of the child. */
    String hear() {
        String line = process.line();
        if (line == null) throw new AssertionError("the child has ended: " + process.errors());
        return line;
    }

    String ask(String line) {
        tell(line);
        return hear();
    }

    /** Kills the child as kill -9 does; returns at once. */
    void kill() {
        process.killLater();
    }

    void awaitEnd() {
        process.exitCode();
    }

    /** Sends SIGSTOP; returns when the kernel says that the child is stopped. */
    void stop() {
        process.signal("STOP");
        long start = System.nanoTime();
        while (state() != 'T') {
            if (System.nanoTime() - start > STOP_SECONDS * 1_000_000_000) throw new AssertionError("it does not stop");
            Thread.onSpinWait();
        }
    }

    void cont() {
        process.signal("CONT");
    }

    private char state() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
