package tidepool.workload.recorded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.history.History;
import tidepool.history.HistoryFiles;
import tidepool.history.UnknownOutcome;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.workload.ScratchFolder;
import tidepool.workload.site.Site;

/** Runs a recorded workload from beginning to end, and writes one history. */
public final class Recording {
    private final RecordedOptions options;
    private final Path history;
    private final Consumer<String> live;
    private Supplier<Protocol> protocol;

    /**
     * @param history the file that is written
     * @param live takes the line that is overwritten, and an empty line at the end
     */
    public Recording(RecordedOptions options, Path history, Consumer<String> live) {
        this.options = options;
        this.history = history;
        this.live = live;
        this.protocol = () -> Protocols.named(options.protocol());
    }

    /** Replaces the protocol, only for simulated runs. For tests with a planted bug. */
    Recording with(Supplier<Protocol> other) {
        protocol = other;
        return this;
    }

    /** Runs the workload, and waits until everything is done and written. */
    public RecordedResult run() throws IOException, InterruptedException {
        ScratchFolder folder = ScratchFolder.create();
        Thread hook = new Thread(folder::close);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Ended ended = run(folder.path());
            HistoryFiles.Summary summary = HistoryFiles.merge(ended.histories(), history);
            Deaths deaths = null;
            if (options.kills() > 0)
                deaths = Deaths.of(
                        ended.deaths(), UnknownOutcome.of(History.read(history)), ended.progress().recoveries);
            return RecordedResult.of(options, ended, deaths, history, summary);
        } finally {
            folder.close();
            forget(hook);
        }
    }

    private Ended run(Path folder) throws IOException, InterruptedException {
        ProgressLine line = new ProgressLine(options, live);
        return switch (options.fabricName()) {
            case "mem" ->
                new ThreadsRun(options, options.isUrl() ? given() : "mem:?nodes=3&" + parameters(), folder, line).run();
            case "shm", "tcp" -> runProcesses(folder, line);
            default -> new SimulatedRun(options, protocol, folder, line).run();
        };
    }

    private Ended runProcesses(Path folder, ProgressLine line) throws IOException, InterruptedException {
        if (options.isUrl()) return new ProcessesRun(options, given(), folder, line).run();
        try (Site site = Site.on(options.fabric()).make(folder, parameters())) {
            return new ProcessesRun(options, site.url(), folder, line).run();
        }
    }

    /** Returns the parameters of a pool that is made for this run. */
    private String parameters() {
        return "replicas=2&coordinators=512&memory=" + options.partitionBytes() + "&protocol="
                + options.protocol().replace('?', '&');
    }

    /** Returns the given URL, with the protocol if the URL names none. */
    private String given() {
        String given = options.fabric();
        if (given.contains("protocol=")) return given;
        return given + (given.contains("?") ? "&" : "?") + "protocol="
                + options.protocol().replace('?', '&');
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown hook is running, or has run.
        }
    }
}
