package tidepool.bench.race;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tidepool.bench.CpuTime;
import tidepool.bench.TemporaryFolder;
import tidepool.workload.process.BoundedProcess;

/** A {@link ContenderMain} in its own JVM, seen from the parent process. */
final class ContenderProcess implements AutoCloseable {
    /**
     * Ignores ^C, which a terminal sends to all processes. The parent process ends the contenders when it has their
     * results.
     */
    private static final List<String> DEAF_TO_INTERRUPTS = List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

    /** The longest silence: a large store is loaded and checked without a word, and a round reports its progress. */
    private static final Duration MAX_SILENCE = Duration.ofHours(1);

    private final RaceEntry entry;
    private final Path errors;
    private final BoundedProcess process;
    private List<String> types;
    private String settings;

    private ContenderProcess(RaceEntry entry, BoundedProcess process, Path errors) {
        this.entry = entry;
        this.process = process;
        this.errors = errors;
    }

    /** Starts the process, which begins to load its store. */
    static ContenderProcess start(RaceEntry entry, Path folder, RaceOptions options, long heapMegabytes) {
        List<String> command = new ArrayList<>(DEAF_TO_INTERRUPTS);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Contenders.jvmOptions(heapMegabytes));
        command.addAll(options.jvmOptions());
        command.addAll(List.of("-cp", options.classPath(), ContenderMain.class.getName()));
        command.addAll(List.of(entry.text(), options.workload(), options.scale().text(), folder.toString()));
        command.addAll(List.of(
                Integer.toString(options.threads()),
                Integer.toString(options.coordinators()),
                Double.toString(options.rate()),
                Integer.toString(options.attempts()),
                Long.toString(options.seed()),
                Integer.toString(options.shape().nodes()),
                Integer.toString(options.shape().replicas())));
        try {
            Path errors = Files.createFile(folder.resolveSibling(folder.getFileName() + ".errors"));
            return new ContenderProcess(entry, BoundedProcess.start(entry.label(), command, errors), errors);
        } catch (IOException e) {
            throw new UncheckedIOException(entry.label() + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Waits until the store is loaded. */
    void awaitReady() {
        String[] words = answer("ready").split(" ", 2);
        types = List.of(words[0].split(",", -1));
        settings = words[1];
    }

    void warmUp() {
        process.tell("warm-up");
        answer("warm");
    }

    RoundResult round(long millis, Consumer<RoundProgress> progress) {
        long cpuBefore = CpuTime.nanosWithDescendants(process.handle());
        process.tell("round " + millis);
        String line = line();
        while (line != null && line.startsWith("progress ")) {
            progress.accept(RoundProgress.parse(line.substring("progress ".length())));
            line = line();
        }
        RoundResult result = RoundResult.parse(expect("result", line));
        return result.withCpu(CpuTime.nanosWithDescendants(process.handle()) - cpuBefore);
    }

    /** Returns the faults in the contents of its store; empty if there are none. */
    List<String> check() {
        process.tell("check");
        List<String> wrong = new ArrayList<>();
        String line = line();
        while (line != null && line.startsWith("wrong ")) {
            wrong.add(line.substring("wrong ".length()));
            line = line();
        }
        expect("checked", line);
        return wrong;
    }

    RaceEntry entry() {
        return entry;
    }

    List<String> types() {
        return types;
    }

    String settings() {
        return settings;
    }

    private String answer(String expected) {
        return expect(expected, line());
    }

    private String line() {
        return process.line(MAX_SILENCE);
    }

    private String expect(String expected, String line) {
        if (line != null && line.startsWith(expected + " ")) return line.substring(expected.length() + 1);
        throw new IllegalStateException(entry.label() + " failed: " + why(line));
    }

    private String why(String line) {
        if (line != null && line.startsWith("failed ")) return line.substring("failed ".length());
        if (line != null) return line;
        try {
            List<String> said = Files.readAllLines(errors);
            return said.isEmpty() ? "it ended without a word" : said.getLast();
        } catch (IOException e) {
            return "it ended without a word";
        }
    }

    /** Kills the process in any state, and its descendants: a server, memory nodes. Waits until all have ended. */
    @Override
    public void close() {
        process.killAll();
        TemporaryFolder.removeThoseOf(process.pid());
    }
}
