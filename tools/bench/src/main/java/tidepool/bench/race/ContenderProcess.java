package tidepool.bench.race;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tidepool.bench.CpuTime;
import tidepool.bench.TemporaryFolder;

/** A {@link ContenderMain} in its own JVM, seen from the parent process. */
final class ContenderProcess implements AutoCloseable {
    /**
     * Ignores ^C, which a terminal sends to all processes. The parent process ends the contenders when it has their
     * results.
     */
    private static final List<String> DEAF_TO_INTERRUPTS = List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

    private final RaceEntry entry;
    private final Path errors;
    private final Process process;
    private final PrintWriter orders;
    private final BufferedReader answers;
    private List<String> types;
    private String settings;

    private ContenderProcess(RaceEntry entry, Process process, Path errors) {
        this.entry = entry;
        this.process = process;
        this.errors = errors;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
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
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            return new ContenderProcess(entry, process, errors);
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
        orders.println("warm-up");
        answer("warm");
    }

    RoundResult round(long millis, Consumer<RoundProgress> progress) {
        long cpuBefore = CpuTime.nanosWithDescendants(process.toHandle());
        orders.println("round " + millis);
        String line = line();
        while (line != null && line.startsWith("progress ")) {
            progress.accept(RoundProgress.parse(line.substring("progress ".length())));
            line = line();
        }
        RoundResult result = RoundResult.parse(expect("result", line));
        return result.withCpu(CpuTime.nanosWithDescendants(process.toHandle()) - cpuBefore);
    }

    /** Returns the faults in the contents of its store; empty if there are none. */
    List<String> check() {
        orders.println("check");
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
        try {
            return answers.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(entry.label() + " cannot be heard: " + e.getMessage(), e);
        }
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
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        for (ProcessHandle one : started) one.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (ProcessHandle one : started) one.onExit().join();
        TemporaryFolder.removeThoseOf(process.pid());
    }
}
