package tidepool.bench.race;

import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import tidepool.protocol.Protocol;
import tidepool.store.RowFormat;
import tidepool.store.RowReport;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;

/** The figures of a race as tables of text. */
final class RaceTable {
    private static final String ROW = "%12s %7s %9s %13s %9s %9s %9s %10s %9s %9s %8s  %s";
    private static final String TYPE_ROW = "%-22s %12s %7s %10s %9s %9s %9s %7s %7s %9s";

    private final RaceResult result;
    private final RaceOptions options;
    private final String label; // a format of the width of the longest label

    RaceTable(RaceResult result) {
        this.result = result;
        this.options = result.options();
        int width = "contender".length();
        for (Standing standing : result.standings())
            width = Math.max(width, standing.label().length());
        this.label = "%-" + (width + 1) + "s ";
    }

    void print(Consumer<String> out) {
        head(out);
        if (!result.hasFigures()) {
            out.accept("Interrupted before everybody had a round: there are no figures.");
            return;
        }
        out.accept("");
        contenders(out);
        out.accept("");
        types(out);
        out.accept("");
        for (Standing standing : result.standings()) counts(standing, out);
        notes(out);
        for (Standing standing : result.standings())
            for (String wrong : standing.wrong()) out.accept("WRONG     " + standing.label() + ": " + wrong);
        if (!result.wasInterrupted())
            for (PerformanceTarget target : PerformanceTarget.of(result)) out.accept(target.line());
    }

    void head(Consumer<String> out) {
        MeasuredWorkload workload = options.newWorkload();
        out.accept(workload.name() + ": " + workload.settings());
        String load = options.rate() == 0
                ? "closed loop"
                : String.format(Locale.ROOT, "open loop, %,.0f transactions/s at fixed times", options.rate());
        int rounds = result.hasFigures() ? result.first().rounds().size() : 0;
        out.accept(String.format(
                Locale.ROOT,
                "%s; %s x %s; %d of %d rounds of %.1f s, in turns; warm-up %.1f s%s; seed %d",
                load,
                many(options.threads(), "thread"),
                many(options.coordinators(), "coordinator"),
                rounds,
                options.rounds(),
                options.roundMillis() / 1e3,
                options.warmUpMillis() / 1e3,
                options.cold() ? ", cold" : "",
                options.seed()));
        out.accept("retries: " + options.retryPolicy());
        for (Standing standing : result.standings())
            out.accept(format("  " + label, standing.label()) + standing.settings());
        for (Standing standing : result.standings()) if (standing.entry().isOurs()) versions(standing, workload, out);
    }

    /** Prints, for a protocol with versions, their number, the room for older ones, and the reason. */
    private void versions(Standing standing, MeasuredWorkload workload, Consumer<String> out) {
        Protocol protocol = PoolSize.known(standing.entry().name());
        for (TableSpec table : workload.tables()) {
            RowFormat rows = protocol.rows(table.schema());
            if (rows.versions() > 1)
                out.accept(format("  " + label, standing.label()) + RowReport.of(table.schema(), rows));
        }
    }

    private void contenders(Consumer<String> out) {
        out.accept(format(
                label + ROW,
                "contender",
                "commits/s",
                "spread",
                "first/its",
                "low..high",
                "p50 us",
                "p99 us",
                "p99.9 us",
                "aborts/s",
                "trips/txn",
                "bytes/txn",
                "CPU us",
                "check"));
        for (Standing standing : result.standings()) out.accept(row(standing));
    }

    private String row(Standing standing) {
        double[] ratios = result.first().timesAsFastAs(standing);
        boolean isFirst = standing == result.first();
        Histogram latency = standing.latency();
        return format(
                label + ROW,
                standing.label(),
                format("%,.0f", standing.commitsPerSecond()),
                format("%.0f %%", 100 * standing.spread()),
                isFirst ? "" : format("%.2f", Standing.median(ratios)),
                isFirst ? "" : format("%.2f..%.2f", ratios[0], ratios[ratios.length - 1]),
                micros(latency, 50),
                micros(latency, 99),
                micros(latency, 99.9),
                format("%,.0f", standing.abortsPerSecond()),
                orNothing("%.2f", standing.perTransaction(TypeTally::roundTrips)),
                format("%.1f", standing.bytesAllocatedPerTransaction()),
                format("%.2f", standing.cpuMicrosPerTransaction()),
                !standing.wasChecked() ? "not checked" : standing.wrong().isEmpty() ? "right" : "WRONG");
    }

    private void types(Consumer<String> out) {
        out.accept(format(
                label + TYPE_ROW,
                "contender",
                "type",
                "commits",
                "missed",
                "rolled back",
                "p50 us",
                "p99 us",
                "tries/txn",
                "trips",
                "verbs",
                "bytes"));
        for (Standing standing : result.standings())
            for (int i = 0; i < standing.types().size(); i++) {
                TypeTally type = standing.type(i);
                if (type.transactions() == 0) continue;
                out.accept(format(
                        label + TYPE_ROW,
                        standing.label(),
                        standing.types().get(i),
                        format("%,d", type.count(TxnEnd.COMMITTED)),
                        format("%,d", type.count(TxnEnd.MISSED)),
                        format("%,d", type.count(TxnEnd.ROLLED_BACK)),
                        micros(type.latency(), 50),
                        micros(type.latency(), 99),
                        format("%.3f", type.perTransaction(type.attempts())),
                        orNothing("%.2f", type.perTransaction(type.roundTrips())),
                        orNothing("%.1f", type.perTransaction(type.verbs())),
                        orNothing("%,.0f", type.perTransaction(type.bytes()))));
            }
    }

    private void counts(Standing standing, Consumer<String> out) {
        StringBuilder line = new StringBuilder(format(label, standing.label()));
        line.append("aborted attempts: ").append(text(standing.aborts()));
        line.append("; abandoned: ").append(format("%.0f/s", standing.perSecond(TxnEnd.ABANDONED)));
        if (standing.unserved() > 0) line.append(format("; due but not begun: %,d", standing.unserved()));
        if (!standing.events().isEmpty()) line.append("; ").append(text(standing.events()));
        out.accept(line.toString());
    }

    private static String text(Map<String, Long> counts) {
        if (counts.isEmpty()) return "none";
        StringBuilder text = new StringBuilder();
        counts.forEach((name, count) ->
                text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(format("%,d", count)));
        return text.toString();
    }

    private void notes(Consumer<String> out) {
        out.accept("Rates are medians of the rounds, ratios are taken within a round, latencies are over all"
                + " transactions of all rounds, retries included.");
        out.accept(
                "CPU is processor time per transaction of all processes of a contender: client, server, memory nodes.");
        if (options.rate() > 0)
            out.accept("Latency counts from when a transaction was due; one that had no turn counts with its wait.");
        if (result.wasInterrupted()) out.accept("Interrupted: these are the rounds that everybody has had.");
    }

    private static String many(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String micros(Histogram latency, double percentile) {
        return format("%.1f", latency.getValueAtPercentile(percentile) / 1e3);
    }

    private static String orNothing(String format, double value) {
        return value == 0 ? "" : format(format, value);
    }

    /** Formats with a decimal point in every locale. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
