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
import tidepool.bench.Report;
import tidepool.check.cluster.ClusterFailure;
import tidepool.check.cluster.ClusterOptions;
import tidepool.check.cluster.ClusterReport;
import tidepool.check.cluster.ClusterSimulation;
import tidepool.protocol.Protocols;

/** {@code simulate --protocol NAME}: whole clusters, one for each seed, each drawn from its seed and checked to the end. */
final class ClusterCampaign {
    /** From so many seeds on, everything that a cluster can reach must have been reached. */
    static final int LEAST_SEEDS = 400;

    /** Held here, because a logger that nobody holds forgets its level. */
    private static final Logger LOG = Logger.getLogger("tidepool");

    private static final long PROGRESS_NANOS = 2_000_000_000L;

    private final String protocol;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Function<ClusterOptions, ClusterReport> simulation;
    private final ClusterReport total = ClusterReport.empty();
    private final List<Result> results = new ArrayList<>();

    private record Result(long seed, ClusterReport report, String violation) {}

    ClusterCampaign(String protocol, PrintWriter out, PrintWriter err) {
        this(protocol, out, err, ClusterSimulation::run);
    }

    /** For tests: with a simulation that finds something. */
    ClusterCampaign(
            String protocol, PrintWriter out, PrintWriter err, Function<ClusterOptions, ClusterReport> simulation) {
        this.protocol = protocol;
        this.out = out;
        this.err = err;
        this.simulation = simulation;
    }

    /** Runs the seeds; the exit code. Stops at the first that fails. */
    int run(long first, int seeds, Path json) {
        LOG.setLevel(Level.WARNING); // thousands of recoveries are counted below, not told one by one
        out.printf(
                "Simulating %d clusters of %s from seed 0x%x: machines die, verbs fly, tear and overtake%n",
                seeds, protocol, first);
        long startNanos = Clock.system().nowNanos();
        long saidNanos = startNanos;
        for (int i = 0; i < seeds && !hasFailed(); i++) {
            run(first + i);
            long nowNanos = Clock.system().nowNanos();
            if (nowNanos - saidNanos < PROGRESS_NANOS) continue;
            saidNanos = nowNanos;
            err.printf("%d of %d seeds, %.0f s%n", i + 1, seeds, (nowNanos - startNanos) / 1e9);
            err.flush();
        }
        out.println();
        out.print(total);
        out.printf(
                Locale.ROOT, "%nwall time %.1f s, trace hash of the last seed 0x%x%n", seconds(startNanos), lastHash());
        if (json != null)
            Report.write(
                    json,
                    "simulate --protocol " + protocol + " --seed " + first + " --seeds " + seeds,
                    results,
                    this::write);
        return judge(seeds);
    }

    private void run(long seed) {
        try {
            ClusterReport report =
                    simulation.apply(ClusterOptions.drawn(seed).withProtocol(() -> Protocols.named(protocol)));
            total.add(report);
            results.add(new Result(seed, report, null));
        } catch (ClusterFailure e) {
            results.add(new Result(seed, ClusterReport.empty(), e.getMessage()));
        }
    }

    private int judge(int seeds) {
        if (hasFailed()) {
            Result failed = results.getLast();
            err.println("violation: " + failed.violation);
            err.printf("repeat it: ./tidepool simulate --protocol %s --seed 0x%x%n", protocol, failed.seed);
            err.flush();
            return 1;
        }
        List<String> missing = total.missing(ClusterReport.expected(protocol));
        if (seeds >= LEAST_SEEDS && !missing.isEmpty()) {
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
