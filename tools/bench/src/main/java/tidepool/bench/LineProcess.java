package tidepool.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tidepool.workload.process.AnsweringProcess;
import tidepool.workload.process.JvmCommand;

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

    /** An answer takes seconds: a command measures for a given number of rounds. */
    private static final Duration MAX_ANSWER = Duration.ofMinutes(20);

    private final AnsweringProcess process;

    private LineProcess(AnsweringProcess process) {
        this.process = process;
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
        List<String> options = new ArrayList<>();
        options.add("-Xms" + heapMegabytes + "m");
        options.add("-Xmx" + heapMegabytes + "m");
        options.add("-Djava.io.tmpdir=" + folder);
        options.addAll(OPTIONS);
        List<String> command = JvmCommand.of(options, classPath, main.getName(), List.of(arguments));
        return new LineProcess(AnsweringProcess.start(
                name, JvmCommand.deafToInterrupts(command), errors(name, folder), MAX_ANSWER, List::getFirst));
    }

    private static Path errors(String name, Path folder) {
        try {
            return Files.createTempFile(folder, name + "-", ".errors");
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Sends a command and waits for the answer, which has to begin with that word. Returns the rest of the answer. */
    public String ask(String order, String expected) {
        return process.ask(order, expected);
    }

    /** Waits for the next answer, which has to begin with that word. Returns the rest of the answer. */
    public String answer(String expected) {
        return process.answer(expected);
    }

    /** Returns the processor time of the process so far, in user and kernel mode, all threads. */
    public long cpuNanos() {
        return CpuTime.nanos(process.process().handle());
    }

    public boolean isAlive() {
        return process.process().isAlive();
    }

    /** Kills the process in any state. Waits until it has ended. */
    @Override
    public void close() {
        process.close();
    }
}
