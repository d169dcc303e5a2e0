package tidepool.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tidepool.workload.process.BoundedProcess;

/**
 * Another JVM that takes commands as lines and answers by lines. It ends when its input ends, so also when this process
 * is killed.
 */
public final class LineProcess implements AutoCloseable {
    /**
     * The options that our programs need, and those that suppress warnings of foreign libraries. All JVMs have one
     * garbage collector, whatever the machine would have chosen for them.
     */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseParallelGC",
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    /** Ignores ^C, which a terminal sends to all processes. The parent process ends the child. */
    private static final List<String> DEAF_TO_INTERRUPTS = List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

    /** An answer takes seconds: a command measures for a given number of rounds. */
    private static final Duration MAX_ANSWER = Duration.ofMinutes(20);

    private final String name;
    private final BoundedProcess process;
    private final Path errors;

    private LineProcess(String name, BoundedProcess process, Path errors) {
        this.name = name;
        this.process = process;
        this.errors = errors;
    }

    /**
     * Starts the process.
     *
     * @param name for error messages about it
     * @param folder for its temporary files and its standard error
     * @param classPath of the program
     * @param heapMegabytes of its heap
     */
    public static LineProcess start(
            String name, Path folder, String classPath, int heapMegabytes, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(DEAF_TO_INTERRUPTS);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xms" + heapMegabytes + "m");
        command.add("-Xmx" + heapMegabytes + "m");
        command.add("-Djava.io.tmpdir=" + folder);
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        try {
            Path errors = Files.createTempFile(folder, name + "-", ".errors");
            return new LineProcess(name, BoundedProcess.start(name, command, errors), errors);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Sends a command and waits for the answer, which has to begin with that word. Returns the rest of the answer. */
    public String ask(String order, String expected) {
        process.tell(order);
        return answer(expected);
    }

    /** Waits for the next answer, which has to begin with that word. Returns the rest of the answer. */
    public String answer(String expected) {
        String line = process.line(MAX_ANSWER);
        if (line != null && line.startsWith(expected + " ")) return line.substring(expected.length() + 1);
        throw new IllegalStateException(name + " failed: " + why(line));
    }

    private String why(String line) {
        if (line != null) return line.startsWith("failed ") ? line.substring("failed ".length()) : line;
        try {
            List<String> said = Files.readAllLines(errors);
            return said.isEmpty() ? "it ended without a word" : said.getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be heard: " + e.getMessage(), e);
        }
    }

    /** Returns the processor time of the process so far, in user and kernel mode, all threads. */
    public long cpuNanos() {
        return CpuTime.nanos(process.handle());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process in any state. Waits until it has ended. */
    @Override
    public void close() {
        process.kill();
    }
}
