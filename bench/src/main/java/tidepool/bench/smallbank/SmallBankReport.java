package tidepool.bench.smallbank;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tidepool.bench.Report;

/** The figures of a race, as a table and as JSON. Whoever races first is "ours". */
final class SmallBankReport {
    private static final String ROW = "%-12s %11s %7s %9s %15s %8s %8s %9s %7s %10s  %s";

    private final RaceOptions options;
    private final List<Standing> standings;

    SmallBankReport(RaceOptions options, List<Standing> standings) {
        this.options = options;
        this.standings = standings;
    }

    private Standing ours() {
        return standings.getFirst();
    }

    void print(Consumer<String> out) {
        out.accept(String.format(
                Locale.ROOT,
                "SmallBank: %,d customers, 9 in 10 transactions on 4 %% of them; serializable; %d threads; %d rounds of"
                        + " %.1f s, in turns; seed %d",
                options.customers(),
                options.threads(),
                options.rounds(),
                options.roundMillis() / 1e3,
                options.seed()));
        for (Standing standing : standings)
            out.accept(String.format(
                    Locale.ROOT, "  %-12s %s", standing.contender().label(), standing.settings()));
        out.accept("");
        out.accept(String.format(
                Locale.ROOT,
                ROW,
                "contender",
                "commits/s",
                "spread",
                "ours/its",
                "low..high",
                "p50 us",
                "p99 us",
                "aborts/s",
                "trips",
                "bytes/txn",
                "money"));
        for (Standing standing : standings) out.accept(row(standing));
        out.accept("");
        out.accept(
                "Medians of the rounds; ratios are taken within a round. Latencies include retries, over all rounds.");
        for (Standing standing : standings) if (!standing.addsUp()) out.accept(standing.discrepancy());
        for (Promise promise : Promise.of(standings)) out.accept(promise.line());
    }

    private String row(Standing standing) {
        double[] ratios = ours().timesAsFastAs(standing);
        boolean isFirst = standing == ours();
        return String.format(
                Locale.ROOT,
                ROW,
                standing.contender().label(),
                String.format(Locale.ROOT, "%,.0f", standing.commitsPerSecond()),
                String.format(Locale.ROOT, "%.0f %%", 100 * standing.spread()),
                isFirst ? "" : String.format(Locale.ROOT, "%.2f", Standing.median(ratios)),
                isFirst ? "" : String.format(Locale.ROOT, "%.2f..%.2f", ratios[0], ratios[ratios.length - 1]),
                String.format(Locale.ROOT, "%.1f", standing.micros(50)),
                String.format(Locale.ROOT, "%.1f", standing.micros(99)),
                String.format(Locale.ROOT, "%,.0f", standing.abortsPerSecond()),
                standing.roundTripsPerTransaction() == 0
                        ? ""
                        : String.format(Locale.ROOT, "%.2f", standing.roundTripsPerTransaction()),
                String.format(Locale.ROOT, "%.1f", standing.bytesAllocatedPerTransaction()),
                standing.addsUp() ? "adds up" : "WRONG");
    }

    void writeJson(Path file) {
        Report.write(file, "bench smallbank", standings, this::write);
    }

    private void write(JsonGenerator json, Standing standing) throws IOException {
        double[] ratios = ours().timesAsFastAs(standing);
        json.writeStringField("contender", standing.contender().label());
        json.writeStringField("workload", "smallbank");
        json.writeNumberField("threads", options.threads());
        json.writeNumberField("commitsPerSecond", standing.commitsPerSecond());
        json.writeNumberField("p50Micros", standing.micros(50));
        json.writeNumberField("p99Micros", standing.micros(99));
        json.writeNumberField("abortsPerSecond", standing.abortsPerSecond());
        json.writeNumberField("roundTripsPerTransaction", standing.roundTripsPerTransaction());
        json.writeNumberField("bytesAllocatedPerTransaction", standing.bytesAllocatedPerTransaction());
        json.writeNumberField("rollbacksPerSecond", standing.rollbacksPerSecond());
        json.writeNumberField("spread", standing.spread());
        json.writeNumberField("oursToIts", Standing.median(ratios));
        json.writeNumberField("oursToItsLow", ratios[0]);
        json.writeNumberField("oursToItsHigh", ratios[ratios.length - 1]);
        json.writeBooleanField("moneyAddsUp", standing.addsUp());
        json.writeStringField("settings", standing.settings());
        json.writeNumberField("accounts", options.customers());
        json.writeNumberField("seed", options.seed());
        json.writeArrayFieldStart("roundsCommitsPerSecond");
        for (RoundResult round : standing.rounds()) json.writeNumber(round.commitsPerSecond());
        json.writeEndArray();
    }
}
