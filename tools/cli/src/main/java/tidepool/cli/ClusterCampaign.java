package tidepool.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import tidepool.base.Clock;
import tidepool.bench.JsonReport;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.store.FlushPolicy;

/**
 * {@code simulate --protocol NAME}: simulates one whole cluster per seed. Each cluster is drawn from its seed and
 * checked to the end. With {@code --faults power} clusters lose power too, and the switches of a plain {@code ford} are
 * drawn as well. With {@code --faults nodes} memory nodes die; with {@code nodes+power} both happen. With
 * {@code journals} for power the nodes keep journals.
 */
final class ClusterCampaign {
    /** With at least this number of seeds, every coverage point of a cluster must have been reached. */
    static final int MIN_SEEDS = 400;

    /** The workload that follows from the seed. */
    static final String DRAWN = "drawn";

    private static final String FEW = "few";
    private static final String GROWING = "growing";
    private static final String DOCUMENTS = "documents";
    private static final String ORDERED = "ordered";
    private static final List<String> WORKLOADS = List.of(DRAWN, FEW, GROWING, DOCUMENTS, ORDERED);

    private static final String ALL = "all";
    private static final String POWER = "power";
    private static final String NODES = "nodes";
    private static final String NODES_AND_POWER = "nodes+power";
    private static final String JOURNALS = "journals";
    private static final String NODES_AND_JOURNALS = "nodes+journals";
    private static final List<String> FAULTS =
            List.of(ALL, POWER, JOURNALS, NODES, NODES_AND_POWER, NODES_AND_JOURNALS);

    /** Held here: the log manager holds loggers weakly, and a collected logger loses its level. */
    private static final Logger LOG = Logger.getLogger("tidepool");

    private static final long PROGRESS_NANOS = 2_000_000_000L;

    private final String protocol;
    private final String faults;
    private final String workload;
    private final boolean power;
    private final boolean journals;
    private final boolean dying;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Function<ClusterOptions, ClusterReport> simulation;
    private final ClusterReport total = ClusterReport.empty();
    private final List<Result> results = new ArrayList<>();
    private List<String> lastEvents = List.of();

    private record Result(long seed, ClusterReport report, String violation) {}

    /** @param trace the number of events to print of the last seed */
    ClusterCampaign(String protocol, String faults, String workload, PrintWriter out, PrintWriter err, int trace) {
        this(protocol, faults, workload, out, err, null, trace);
    }

    /** For tests, which pass a simulation that finds a fault. */
    ClusterCampaign(
            String protocol,
            String faults,
            PrintWriter out,
            PrintWriter err,
            Function<ClusterOptions, ClusterReport> simulation) {
        this(protocol, faults, DRAWN, out, err, simulation, 0);
    }

    private ClusterCampaign(
            String protocol,
            String faults,
            String workload,
            PrintWriter out,
            PrintWriter err,
            Function<ClusterOptions, ClusterReport> simulation,
            int trace) {
        this.protocol = protocol;
        this.faults = faults;
        this.workload = workload;
        this.power = losesPower(faults);
        this.journals = faults.endsWith(JOURNALS);
        this.dying = faults.startsWith(NODES);
        this.out = out;
        this.err = err;
        this.simulation = simulation != null
                ? simulation
                : options -> ClusterSimulation.run(options, trace, events -> lastEvents = events);
    }

    /** Refuses a protocol, fault or workload that no cluster can run, with a message for the user. */
    static void check(String protocol, String faults, String workload) {
        if (!WORKLOADS.contains(workload))
            throw new IllegalArgumentException(
                    "--workload takes " + String.join(", ", WORKLOADS) + ", not '" + workload + "'");
        String name = protocol.contains("?") ? protocol.substring(0, protocol.indexOf('?')) : protocol;
        if (name.equals("verbs")) throw new IllegalArgumentException("verbs has no switches: " + protocol);
        if (!Protocols.names().contains(name))
            throw new IllegalArgumentException(
                    "unknown protocol '" + name + "'; known: verbs, " + String.join(", ", Protocols.names()));
        boolean durable = Protocols.named(protocol).flush().isDurable();
        if (!FAULTS.contains(faults))
            throw new IllegalArgumentException("whole clusters draw their faults from the seed: --faults takes "
                    + String.join(", ", FAULTS) + ", not '" + faults + "'");
        if (losesPower(faults) && !protocol.equals("ford") && !durable)
            throw new IllegalArgumentException(
                    protocol + " does not flush, so nothing outlasts a loss of power; try 'ford?flush=selective'");
    }

    private static boolean losesPower(String faults) {
        return faults.endsWith(POWER) || faults.endsWith(JOURNALS);
    }

    private String told() {
        if (!power) return "";
        return journals ? ", the power fails, nodes keep journals" : ", the power fails";
    }

    /** Runs the seeds and returns the exit code. Stops at the first seed that fails. */
    int run(long first, int seeds, Path json) {
        LOG.setLevel(Level.WARNING); // thousands of recoveries are counted below, not logged one by one
        out.printf(
                "Simulating %d clusters of %s from seed 0x%x: machines die, verbs fly, tear and overtake%s%s%n",
                seeds, protocol, first, dying ? ", memory nodes die" : "", told());
        long startNanos = Clock.system().nowNanos();
        long saidNanos = startNanos;
        for (int i = 0; i < seeds && !hasFailed(); i++) {
            run(first + i);
            long nowNanos = Clock.system().nowNanos();
            if (nowNanos - saidNanos < PROGRESS_NANOS) continue;
            saidNanos = nowNanos;
            double elapsed = (nowNanos - startNanos) / 1e9;
            err.printf(
                    Locale.ROOT, "%d of %d seeds, %.0f s, %.1f a second%n", i + 1, seeds, elapsed, (i + 1) / elapsed);
            err.flush();
        }
        out.println();
        out.print(total);
        out.printf(
                Locale.ROOT, "%nwall time %.1f s, trace hash of the last seed 0x%x%n", seconds(startNanos), lastHash());
        for (String event : lastEvents) out.println(event);
        if (json != null)
            JsonReport.write(
                    json, "simulate " + arguments() + " --seed " + first + " --seeds " + seeds, results, this::write);
        return judge(seeds);
    }

    private void run(long seed) {
        try {
            ClusterReport report = simulation.apply(options(seed));
            total.add(report);
            results.add(new Result(seed, report, null));
        } catch (ClusterFailure e) {
            results.add(new Result(seed, ClusterReport.empty(), e.getMessage()));
        }
    }

    private ClusterOptions options(long seed) {
        ClusterOptions drawn = withFaults(seed);
        return switch (workload) {
            case FEW -> drawn;
            case GROWING -> drawn.growing();
            case DOCUMENTS -> drawn.documents();
            case ORDERED -> drawn.ordered();
            default -> drawn.withDrawnWorkload();
        };
    }

    private ClusterOptions withFaults(long seed) {
        if (power && !journals && protocol.equals("ford"))
            return dying ? ClusterOptions.drawnWithNodesAndPower(seed) : ClusterOptions.drawnWithPower(seed);
        ClusterOptions drawn = dying ? ClusterOptions.drawnWithNodes(seed) : ClusterOptions.drawn(seed);
        Protocol asked = Protocols.named(protocol);
        if (journals && protocol.equals("ford")) return ClusterOptions.withJournals(drawn, FlushPolicy.SELECTIVE);
        if (journals)
            return ClusterOptions.withJournals(drawn, asked.flush()).withProtocol(() -> Protocols.named(protocol));
        return (power ? ClusterOptions.withPower(drawn, asked.flush()) : drawn)
                .withProtocol(() -> Protocols.named(protocol));
    }

    /** Returns the arguments, with quotes around switches that a shell would interpret. */
    private String arguments() {
        String named = protocol.contains("?") ? "'" + protocol + "'" : protocol;
        return "--protocol " + named + (faults.equals(ALL) ? "" : " --faults " + faults)
                + (workload.equals(DRAWN) ? "" : " --workload " + workload);
    }

    private int judge(int seeds) {
        if (hasFailed()) {
            Result failed = results.getLast();
            err.println("violation: " + failed.violation);
            err.printf("repeat it: ./tidepool simulate %s --seed 0x%x%n", arguments(), failed.seed);
            err.flush();
            return 1;
        }
        List<String> expected = new ArrayList<>();
        if (dying) expected.addAll(ClusterReport.expectedWithNodes(protocol));
        if (power) expected.addAll(journals ? ClusterReport.EXPECTED_WITH_JOURNALS : ClusterReport.EXPECTED_WITH_POWER);
        boolean isOfRecords = workload.equals(DOCUMENTS) || workload.equals(ORDERED);
        if (expected.isEmpty() && !isOfRecords) expected.addAll(ClusterReport.expected(protocol));
        if (workload.equals(GROWING) || workload.equals(DRAWN)) expected.addAll(ClusterReport.EXPECTED_OF_GROWTH);
        if (workload.equals(DOCUMENTS) || workload.equals(DRAWN)) expected.addAll(ClusterReport.EXPECTED_OF_DOCUMENTS);
        if (workload.equals(ORDERED) || workload.equals(DRAWN)) expected.addAll(ClusterReport.EXPECTED_OF_ORDERED);
        List<String> missing = total.missing(expected);
        if (seeds >= MIN_SEEDS && !missing.isEmpty()) {
            err.println("never reached: " + String.join(", ", missing));
            err.flush();
            return 1;
        }
        out.println("No violation in " + (seeds == 1 ? "1 seed." : seeds + " seeds."));
        out.flush();
        return 0;
    }

    private boolean hasFailed() {
        return !results.isEmpty() && results.getLast().violation != null;
    }

    private long lastHash() {
        return results.getLast().report.traceHash();
    }

    private static double seconds(long startNanos) {
        return (Clock.system().nowNanos() - startNanos) / 1e9;
    }

    private void write(JsonGenerator json, Result result) throws IOException {
        json.writeStringField("seed", "0x" + Long.toHexString(result.seed));
        json.writeStringField("protocol", protocol);
        json.writeNumberField("transactions", result.report.count("committed"));
        json.writeNumberField("faultsInjected", result.report.count("fabric MACHINE_CRASHED"));
        json.writeStringField("traceHash", "0x" + Long.toHexString(result.report.traceHash()));
        json.writeArrayFieldStart("violations");
        if (result.violation != null) json.writeString(result.violation);
        json.writeEndArray();
    }
}
