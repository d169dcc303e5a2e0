package tidepool.bench.smallbank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** What a contender has done so far: its rounds, and whether its money adds up. */
final class Standing {
    private final Contender contender;
    private final String settings;
    private final List<RoundResult> rounds = new ArrayList<>();
    private Totals expected;
    private Totals found;

    Standing(Contender contender, String settings, int customers) {
        this.contender = contender;
        this.settings = settings;
        this.expected = Totals.initial(customers);
    }

    /** A round that only warms up: its money counts, its time does not. */
    void warmedUp(RoundResult round) {
        expected = expected.plus(round.cents(), round.changes());
    }

    void add(RoundResult round) {
        warmedUp(round);
        rounds.add(round);
    }

    void audited(Totals totals) {
        found = totals;
    }

    /** Whether the bank holds what the committed transactions left there. */
    boolean addsUp() {
        return expected.equals(found);
    }

    /** What is wrong with its money, in a sentence. */
    String discrepancy() {
        return contender.label() + ": the accounts hold " + found.cents() + " cents after " + found.changes()
                + " changes; by what was committed it should be " + expected.cents() + " after " + expected.changes();
    }

    Contender contender() {
        return contender;
    }

    String settings() {
        return settings;
    }

    List<RoundResult> rounds() {
        return List.copyOf(rounds);
    }

    double commitsPerSecond() {
        return median(each(RoundResult::commitsPerSecond));
    }

    /** Half the distance between the fastest and the slowest round, relative to the median. */
    double spread() {
        double[] all = each(RoundResult::commitsPerSecond);
        Arrays.sort(all);
        return (all[all.length - 1] - all[0]) / 2 / median(all);
    }

    double abortsPerSecond() {
        return median(each(round -> round.perSecond(round.aborts())));
    }

    double rollbacksPerSecond() {
        return median(each(round -> round.perSecond(round.rollbacks())));
    }

    double roundTripsPerTransaction() {
        return sum(RoundResult::roundTrips) / sum(RoundResult::transactions);
    }

    double bytesAllocatedPerTransaction() {
        return sum(RoundResult::bytesAllocated) / sum(RoundResult::transactions);
    }

    /** Over all rounds, in microseconds. */
    double micros(double percentile) {
        Histogram all = RoundResult.newHistogram();
        for (RoundResult round : rounds) all.add(round.latency());
        return all.getValueAtPercentile(percentile) / 1e3;
    }

    /** How many times as fast as the other this one was, round by round, sorted. */
    double[] timesAsFastAs(Standing other) {
        double[] ratios = new double[rounds.size()];
        for (int i = 0; i < ratios.length; i++)
            ratios[i] = rounds.get(i).commitsPerSecond() / other.rounds.get(i).commitsPerSecond();
        Arrays.sort(ratios);
        return ratios;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int count = sorted.length;
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    }

    private double[] each(ToDoubleFunction<RoundResult> figure) {
        return rounds.stream().mapToDouble(figure).toArray();
    }

    private double sum(ToDoubleFunction<RoundResult> figure) {
        return rounds.stream().mapToDouble(figure).sum();
    }
}
