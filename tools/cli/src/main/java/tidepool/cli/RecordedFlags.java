package tidepool.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import tidepool.bench.JsonReport;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.Verdict;
import tidepool.protocol.Step;
import tidepool.txn.AbortReason;
import tidepool.workload.recorded.Deaths;
import tidepool.workload.recorded.RecordedOptions;
import tidepool.workload.recorded.RecordedResult;
import tidepool.workload.recorded.Recording;

/** The options and the common work of the commands that record a history. */
final class RecordedFlags {
    private static final int DEFAULT_SECONDS = 5;
    private static final int DEFAULT_SIMULATED = 2000;

    @Option(
            names = "--fabric",
            paramLabel = "NAME",
            description = "mem, shm, sim, tcp, or the URL of a pool; default ${DEFAULT-VALUE}.")
    String fabric = "mem";

    @Option(names = "--protocol", paramLabel = "NAME", description = "Default ${DEFAULT-VALUE}.")
    String protocol = "ford";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long clients work, on sim in virtual time; default " + DEFAULT_SECONDS + ".")
    int seconds;

    @Option(
            names = "--transactions",
            paramLabel = "N",
            description = "How many are run instead; on sim the default is " + DEFAULT_SIMULATED + ".")
    long transactions;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "Client processes, on sim machines; default 2, on mem 1.")
    Integer processes;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Client threads of each, on sim strands; default ${DEFAULT-VALUE}.")
    int threads = 2;

    @Option(
            names = "--kill",
            paramLabel = "N",
            description = "Processes or machines to kill meanwhile and to replace, default ${DEFAULT-VALUE}.")
    int kills;

    @Option(
            names = "--kill-at",
            paramLabel = "STEP",
            split = ",",
            description =
                    "Processes die in these steps of a transaction, in turn, such as lock,commit,release; without it in"
                            + " every step that the protocol has, and at any moment.")
    List<String> killAt = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random choices, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(names = "--history", paramLabel = "FILE", description = "Keep the history.")
    Path history;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON.")
    Path json;

    @Option(names = "--no-check", description = "Do not check the history; ./tidepool check does it later.")
    boolean unchecked;

    int run(String workload, int keys, int longest, CommandLine command) throws Exception {
        RecordedOptions options = options(workload, keys, longest, command);
        requireFolder(json, "report");
        requireFolder(history, "history");
        // The results are reported at the end.
        Logger.getLogger("tidepool").setLevel(Level.WARNING);
        PrintWriter out = command.getOut();
        Path file = history != null ? history : Files.createTempFile("tidepool-", ".jsonl");
        try {
            RecordedResult result = new Recording(options, file, new LiveLine(out)).run();
            result.text().forEach(out::println);
            if (history != null) out.println("File      " + history);
            out.flush();
            Verdict verdict = unchecked ? null : HistoryChecker.check(History.read(file));
            boolean holds = verdict == null || tell(verdict, options.promise(), out);
            if (json != null)
                JsonReport.write(json, "bench " + workload, List.of(result), (to, each) -> write(to, each, verdict));
            return holds ? 0 : 1;
        } finally {
            if (history == null) Files.deleteIfExists(file);
        }
    }

    private RecordedOptions options(String workload, int keys, int longest, CommandLine command) {
        boolean counted = transactions > 0 || seconds == 0 && fabric.equals("sim");
        long count = counted && transactions == 0 ? DEFAULT_SIMULATED : transactions;
        int time = seconds == 0 && !counted ? DEFAULT_SECONDS : seconds;
        int clients = processes != null ? processes : fabric.startsWith("mem") ? 1 : 2;
        try {
            List<Step> steps = killAt.stream().map(Step::named).toList();
            return new RecordedOptions(
                    workload, fabric, protocol, seed, count, time, clients, threads, kills, steps, keys, longest);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(command, e.getMessage());
        }
    }

    static void requireFolder(Path file, String what) {
        if (file != null && !Files.isDirectory(file.toAbsolutePath().getParent()))
            throw new UserError("no such folder for the " + what + ": "
                    + file.toAbsolutePath().getParent());
    }

    private static boolean tell(Verdict verdict, tidepool.history.Level promise, PrintWriter out) {
        boolean holds = verdict.holds(promise);
        out.println("Check     " + verdict.counts());
        if (!holds) out.print(verdict.report());
        out.println((holds ? "OK        " : "VIOLATED  ") + promise);
        out.flush();
        return holds;
    }

    private static void write(JsonGenerator to, RecordedResult result, Verdict verdict) throws IOException {
        RecordedOptions options = result.options();
        to.writeStringField("contender", options.protocol() + "/" + options.fabricName());
        to.writeStringField("workload", options.workload());
        to.writeNumberField("processes", options.processes());
        to.writeNumberField("threads", options.threads());
        to.writeNumberField("seed", options.seed());
        to.writeNumberField("seconds", result.seconds());
        to.writeNumberField("commits", result.commits());
        to.writeNumberField("commitsPerSecond", result.commitsPerSecond());
        to.writeNumberField("p50Micros", result.tally().latency().percentile(50) / 1e3);
        to.writeNumberField("p99Micros", result.tally().latency().percentile(99) / 1e3);
        to.writeNumberField("abortsPerSecond", result.abortsPerSecond());
        to.writeNumberField("roundTripsPerTransaction", result.tally().roundTripsPerCommit());
        to.writeNumberField("bytesAllocatedPerTransaction", result.bytesAllocatedPerTransaction());
        to.writeNumberField("rolledBack", result.tally().rollbacks());
        to.writeNumberField("gaveUp", result.tally().gaveUps());
        to.writeNumberField("killed", result.killed());
        if (result.deaths() != null) write(to, result.deaths());
        to.writeObjectFieldStart("aborts");
        for (Map.Entry<AbortReason, Long> abort : result.aborts().entrySet())
            to.writeNumberField(abort.getKey().name(), abort.getValue());
        to.writeEndObject();
        to.writeObjectFieldStart("events");
        for (Map.Entry<String, Long> event : result.events().entrySet())
            to.writeNumberField(event.getKey(), event.getValue());
        to.writeEndObject();
        to.writeObjectFieldStart("history");
        to.writeNumberField("transactions", result.summary().transactions());
        to.writeNumberField("ok", result.summary().ok());
        to.writeNumberField("failed", result.summary().failed());
        to.writeNumberField("unknown", result.summary().unknown());
        to.writeNumberField("bytes", result.summary().bytes());
        to.writeEndObject();
        if (verdict != null) write(to, verdict);
    }

    private static void write(JsonGenerator to, Deaths deaths) throws IOException {
        to.writeObjectFieldStart("recoveries");
        to.writeNumberField("sessions", deaths.recoveries().sessions());
        to.writeNumberField("finished", deaths.recoveries().finished());
        to.writeNumberField("undone", deaths.recoveries().undone());
        to.writeNumberField("locksFreed", deaths.recoveries().locksFreed());
        to.writeEndObject();
        to.writeObjectFieldStart("deaths");
        for (Map.Entry<String, Deaths.Site> site : deaths.sites().entrySet()) {
            to.writeObjectFieldStart(site.getKey());
            to.writeNumberField("threads", site.getValue().threads());
            to.writeNumberField("happened", site.getValue().happened());
            to.writeNumberField("undone", site.getValue().undone());
            to.writeNumberField("onlyRead", site.getValue().onlyRead());
            to.writeEndObject();
        }
        to.writeEndObject();
    }

    private static void write(JsonGenerator to, Verdict verdict) throws IOException {
        to.writeObjectFieldStart("levels");
        for (tidepool.history.Level level : tidepool.history.Level.values())
            to.writeBooleanField(level.toString(), verdict.holds(level));
        to.writeEndObject();
        to.writeObjectFieldStart("anomalies");
        for (var anomaly : verdict.totals().entrySet())
            to.writeNumberField(anomaly.getKey().title(), anomaly.getValue());
        to.writeEndObject();
    }
}
