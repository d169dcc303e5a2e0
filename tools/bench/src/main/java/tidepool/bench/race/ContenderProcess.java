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
import tidepool.workload.process.AnsweringProcess;
import tidepool.workload.process.JvmCommand;

/** A {@link ContenderMain} in its own JVM, seen from the parent process. */
final class ContenderProcess implements AutoCloseable {
    /** The longest silence: a large store is loaded and checked without a word, and a round reports its progress. */
    private static final Duration MAX_SILENCE = Duration.ofHours(1);

    private final RaceEntry entry;
    private final AnsweringProcess process;
    private List<String> types;
    private String settings;

    private ContenderProcess(RaceEntry entry, AnsweringProcess process) {
        this.entry = entry;
        this.process = process;
    }

    /** Starts the process, which begins to load its store. */
    static ContenderProcess start(RaceEntry entry, Path folder, RaceOptions options, long heapMegabytes) {
        List<String> jvmOptions = new ArrayList<>(Contenders.jvmOptions(heapMegabytes));
        jvmOptions.addAll(options.jvmOptions());
        List<String> arguments = List.of(
                entry.text(),
                options.workload(),
                options.scale().text(),
                folder.toString(),
                Integer.toString(options.threads()),
                Integer.toString(options.coordinators()),
                Double.toString(options.rate()),
                Integer.toString(options.attempts()),
                Long.toString(options.seed()),
                Integer.toString(options.shape().nodes()),
                Integer.toString(options.shape().replicas()),
                Long.toString(options.shape().bytes()));
        List<String> command = JvmCommand.of(jvmOptions, options.classPath(), ContenderMain.class.getName(), arguments);
        Path errors = errors(entry, folder);
        return new ContenderProcess(
                entry,
                AnsweringProcess.start(
                        entry.label(), JvmCommand.deafToInterrupts(command), errors, MAX_SILENCE, List::getLast));
    }

    private static Path errors(RaceEntry entry, Path folder) {
        try {
            return Files.createFile(folder.resolveSibling(folder.getFileName() + ".errors"));
        } catch (IOException e) {
            throw new UncheckedIOException(entry.label() + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Waits until the store is loaded. */
    void awaitReady() {
        String[] words = process.answer("ready").split(" ", 2);
        types = List.of(words[0].split(",", -1));
        settings = words[1];
    }

    void warmUp() {
        process.ask("warm-up", "warm");
    }

    RoundResult round(long millis, Consumer<RoundProgress> progress) {
        ProcessHandle handle = process.process().handle();
        long cpuBefore = CpuTime.nanosWithDescendants(handle);
        process.process().tell("round " + millis);
        String result = process.answer("result", "progress", text -> progress.accept(RoundProgress.parse(text)));
        return RoundResult.parse(result).withCpu(CpuTime.nanosWithDescendants(handle) - cpuBefore);
    }

    /** Returns the faults in the contents of its store; empty if there are none. */
    List<String> check() {
        List<String> wrong = new ArrayList<>();
        process.process().tell("check");
        process.answer("checked", "wrong", wrong::add);
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

    /** Kills the process in any state, and its descendants: a server, memory nodes. Waits until all have ended. */
    @Override
    public void close() {
        process.process().killAll();
        TemporaryFolder.removeThoseOf(process.process().pid());
    }
}
