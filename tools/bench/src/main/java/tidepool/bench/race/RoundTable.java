package tidepool.bench.race;

import static tidepool.bench.race.RaceTable.format;

import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * The rounds of a contender as a table, one after the other, for runs in which tables grow. Its last line compares the
 * last round with the second. The first one has the caches and the compiler in it.
 */
final class RoundTable {
    /** The name of the event that counts mebibytes which tables have taken, in all copies. */
    static final String GROWTH = "table-mib";

    private static final String ROW = "%6s %12s %9s %9s %9s %10s %9s %9s %9s";
    private static final int TO_COMPARE = 3;

    private final Standing standing;

    RoundTable(Standing standing) {
        this.standing = standing;
    }

    void print(Consumer<String> out) {
        out.accept("");
        out.accept(standing.label() + ", by round:");
        out.accept(format(
                ROW,
                "round",
                "commits/s",
                "p50 us",
                "p99 us",
                "p99.9 us",
                "max us",
                "not begun",
                "CPU us",
                "MiB more"));
        List<RoundResult> rounds = standing.rounds();
        for (int i = 0; i < rounds.size(); i++) out.accept(row(i + 1, rounds.get(i)));
        if (rounds.size() >= TO_COMPARE) out.accept(comparison(rounds.get(1), rounds.getLast()));
    }

    private static String row(int number, RoundResult round) {
        Histogram latency = round.latency();
        return format(
                ROW,
                number,
                format("%,.1f", round.commitsPerSecond()),
                format("%.1f", latency.getValueAtPercentile(50) / 1e3),
                format("%.1f", latency.getValueAtPercentile(99) / 1e3),
                format("%.1f", latency.getValueAtPercentile(99.9) / 1e3),
                format("%,.0f", latency.getMaxValue() / 1e3),
                format("%,d", round.unserved().latency().getTotalCount()),
                format("%.1f", round.cpuMicrosPerTransaction()),
                format("%,d", round.events().getOrDefault(GROWTH, 0L)));
    }

    private static String comparison(RoundResult second, RoundResult last) {
        return format(
                "last / second: commits/s %.3f, p50 %.3f, p99 %.3f, CPU %.3f",
                Standing.ratio(last.commitsPerSecond(), second.commitsPerSecond()),
                ratio(last, second, 50),
                ratio(last, second, 99),
                Standing.ratio(last.cpuMicrosPerTransaction(), second.cpuMicrosPerTransaction()));
    }

    private static double ratio(RoundResult last, RoundResult second, double percentile) {
        return Standing.ratio((double) last.latency().getValueAtPercentile(percentile), (double)
                second.latency().getValueAtPercentile(percentile));
    }
}
