package tidepool.workload.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A process that takes commands as lines and answers with lines, each of which begins with a word that tells its kind.
 * {@code failed} and a sentence is the answer to a command that failed.
 */
public final class AnsweringProcess implements AutoCloseable {
    private final String name;
    private final BoundedProcess process;
    private final Duration limit;
    private final Function<List<String>, String> error;

    private AnsweringProcess(
            String name, BoundedProcess process, Duration limit, Function<List<String>, String> error) {
        this.name = name;
        this.process = process;
        this.limit = limit;
        this.error = error;
    }

    /**
     * Starts the process.
     *
     * @param name for messages about it
     * @param errors the file to which its standard error is appended
     * @param limit of a wait for one line
     * @param error chooses the line of its standard error that says why it ended
     */
    public static AnsweringProcess start(
            String name, List<String> command, Path errors, Duration limit, Function<List<String>, String> error) {
        try {
            return new AnsweringProcess(name, BoundedProcess.start(name, command, errors), limit, error);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Sends a command and waits for the answer, which has to begin with that word. Returns the rest of the answer. */
    public String ask(String command, String expected) {
        process.tell(command);
        return answer(expected);
    }

    /** Waits for the next line, which has to begin with that word. Returns the rest of the line. */
    public String answer(String expected) {
        return answer(expected, "", rest -> {});
    }

    /**
     * Waits for the next line that begins with that word. Returns the rest of the line.
     *
     * @param between the word of the lines that may come before
     * @param take called with the rest of each of those lines
     */
    public String answer(String expected, String between, Consumer<String> take) {
        String line = process.line(limit);
        while (!between.isEmpty() && line != null && line.startsWith(between + " ")) {
            take.accept(line.substring(between.length() + 1));
            line = process.line(limit);
        }
        if (line != null && line.startsWith(expected + " ")) return line.substring(expected.length() + 1);
        throw new IllegalStateException(name + " failed: " + why(line));
    }

    private String why(String line) {
        if (line != null) return line.startsWith("failed ") ? line.substring("failed ".length()) : line;
        List<String> said = process.errors().lines().toList();
        return said.isEmpty() ? "it ended without a word" : error.apply(said);
    }

    public BoundedProcess process() {
        return process;
    }

    /** Kills the process in any state. Waits until it has ended. */
    @Override
    public void close() {
        process.close();
    }
}
