package tidepool.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** The command, place, environment and deadline of a {@link ChildProcess} before it starts. */
public final class ChildStart {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final List<String> command;
    private final ProcessBuilder builder = new ProcessBuilder();
    private Duration deadline = DEADLINE;
    private Runnable gone = () -> {};

    ChildStart(List<String> command) {
        this.command = new ArrayList<>(command);
    }

    /** Sets the working directory. */
    public ChildStart in(Path folder) {
        builder.directory(folder.toFile());
        return this;
    }

    /** Replaces the environment. */
    public ChildStart environment(Map<String, String> variables) {
        builder.environment().clear();
        builder.environment().putAll(variables);
        return this;
    }

    /** Adds a variable to the environment. */
    public ChildStart with(String variable, String value) {
        builder.environment().put(variable, value);
        return this;
    }

    /** Merges the standard error into the standard output. */
    public ChildStart merged() {
        builder.redirectErrorStream(true);
        return this;
    }

    /** Sets the limit of every wait; 120 s otherwise. */
    public ChildStart deadline(Duration limit) {
        deadline = limit;
        return this;
    }

    /** Sets what runs when the process is over, before a reader sees the end of the output. */
    public ChildStart gone(Runnable action) {
        gone = action;
        return this;
    }

    /**
     * Starts the process with the default action of a signal such as {@code INT}. A process inherits ignored signals,
     * for example under nohup, and a JVM installs no handler for them: it would never notice the signal. Skips the
     * test where neither {@code env --default-signal} nor the signals of this process allow it.
     */
    public ChildStart signalled(String signal) {
        List<String> prefix = List.of("env", "--default-signal=" + signal);
        if (works(prefix)) command.addAll(0, prefix);
        else
            Assumptions.assumeFalse(
                    isIgnored(signal), "SIG" + signal + " is ignored, and env has no --default-signal to change that");
        return this;
    }

    public ChildProcess start() {
        try {
            return new ChildProcess(builder.command(command).start(), deadline.toNanos(), gone);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean works(List<String> prefix) {
        List<String> command = new ArrayList<>(prefix);
        command.add("true");
        try (ChildProcess process = new ChildStart(command).start()) {
            return process.exitCode() == 0;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Returns true if this process ignores the signal: bit n-1 of SigIgn for signal n. */
    private static boolean isIgnored(String signal) {
        try (ChildProcess kill = new ChildStart(List.of("kill", "-l", signal)).start()) {
            int number = Integer.parseInt(kill.rest().strip());
            for (String line : Files.readAllLines(Path.of("/proc/self/status")))
                if (line.startsWith("SigIgn:"))
                    return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >>> (number - 1) & 1) != 0;
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
