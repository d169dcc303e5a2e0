package tidepool.bench.race;

import static tidepool.bench.race.RaceTable.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import tidepool.bench.Environment;
import tidepool.workload.measured.MeasuredWorkload;

/** The changes since an earlier report, in per cent, and whether rounds of one race differ by as much. */
final class RunComparison {
    private static final String ROW = "  %-20s %-18s %14s %14s %10s  %s";

    private final EarlierReport earlier;
    private final RaceResult now;

    RunComparison(EarlierReport earlier, RaceResult now) {
        this.earlier = earlier;
        this.now = now;
    }

    void print(Consumer<String> out) {
        out.accept("");
        out.accept("Since " + earlier.file() + ":");
        for (String difference : differences()) out.accept("  " + difference);
        out.accept(format(ROW, "contender", "figure", "then", "now", "change", ""));
        for (Standing standing : now.standings()) {
            Map<String, String> then = earlier.of(standing.label());
            if (then == null) out.accept("  " + standing.label() + " was not measured then");
            else rows(standing, then, out);
        }
    }

    /** Returns other differences between the runs, which make equal figures unlikely. */
    private List<String> differences() {
        List<String> differences = new ArrayList<>();
        MeasuredWorkload workload = now.options().newWorkload();
        if (!earlier.command().equals("bench " + workload.name()))
            differences.add("then it was '" + earlier.command() + "', now it is 'bench " + workload.name() + "'");
        Map<String, String> then = earlier.of(now.first().label());
        if (then != null) {
            compare(differences, "workload", then.get("workloadSettings"), workload.settings());
            compare(
                    differences,
                    "threads",
                    then.get("threads"),
                    Integer.toString(now.options().threads()));
            compare(
                    differences,
                    "rate",
                    then.get("rate"),
                    Double.toString(now.options().rate()));
            compare(differences, "retries", then.get("retries"), now.options().retryPolicy());
        }
        Environment.describe().forEach((fact, value) -> {
            if (!fact.equals("heapBytes"))
                compare(differences, fact, earlier.environment().get(fact), value);
        });
        return differences;
    }

    private static void compare(List<String> differences, String what, String then, String now) {
        if (then != null && !Objects.equals(then, now))
            differences.add("another " + what + ": then " + then + "; now " + now);
    }

    private static void rows(Standing standing, Map<String, String> then, Consumer<String> out) {
        double spread = standing.spread() + number(then, "spread");
        double before = number(then, "commitsPerSecond");
        double change = change(before, standing.commitsPerSecond());
        String verdict = Math.abs(change) <= spread
                ? format("within the spread of the rounds, %.1f %%", 100 * spread)
                : format(
                        "%s, beyond the spread of the rounds, %.1f %%", change > 0 ? "faster" : "slower", 100 * spread);
        row(standing.label(), "commits/s", "%,.0f", before, standing.commitsPerSecond(), verdict, out);
        Histogram latency = standing.latency();
        for (String percentile : List.of("50", "99", "99.9"))
            row(
                    "",
                    "p" + percentile + " us",
                    "%,.1f",
                    number(then, "p" + percentile.replace(".", "") + "Micros"),
                    latency.getValueAtPercentile(Double.parseDouble(percentile)) / 1e3,
                    "",
                    out);
        row("", "aborts/s", "%,.0f", number(then, "abortsPerSecond"), standing.abortsPerSecond(), "", out);
        double trips = standing.perTransaction(TypeTally::roundTrips);
        row("", "trips/txn", "%,.2f", number(then, "roundTripsPerTransaction"), trips, "", out);
        double bytes = standing.bytesAllocatedPerTransaction();
        row("", "allocated/txn", "%,.1f", number(then, "bytesAllocatedPerTransaction"), bytes, "", out);
    }

    private static void row(
            String label, String figure, String format, double then, double now, String verdict, Consumer<String> out) {
        String change = then == 0 ? (now == 0 ? "0 %" : "new") : format("%+.1f %%", 100 * change(then, now));
        out.accept(format(ROW, label, figure, format(format, then), format(format, now), change, verdict)
                .stripTrailing());
    }

    private static double change(double then, double now) {
        return then == 0 ? 0 : (now - then) / then;
    }

    private static double number(Map<String, String> result, String field) {
        try {
            return Double.parseDouble(result.getOrDefault(field, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
