package tidepool.bench.race;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The results of a contender so far: its rounds, and whether its store holds what it should. */
final class Standing {
    private final RaceEntry entry;
    private final String settings;
    private final List<String> types;
    private final List<RoundResult> rounds = new ArrayList<>();
    private List<String> wrong; // null until the store is checked

    Standing(RaceEntry entry, String settings, List<String> types) {
        this.entry = entry;
        this.settings = settings;
        this.types = types;
    }

    /**
     * Returns a standing with only the first {@code count} rounds. After an interruption ratios need rounds of all
     * contenders.
     */
    Standing upTo(int count) {
        Standing shorter = new Standing(entry, settings, types);
        shorter.rounds.addAll(rounds.subList(0, count));
        shorter.wrong = wrong;
        return shorter;
    }

    void add(RoundResult round) {
        rounds.add(round);
    }

    void checked(List<String> findings) {
        wrong = List.copyOf(findings);
    }

    boolean wasChecked() {
        return wrong != null;
    }

    /** Returns the faults in the contents of its store; empty if there are none, or it was not checked. */
    List<String> wrong() {
        return wrong == null ? List.of() : wrong;
    }

    RaceEntry entry() {
        return entry;
    }

    String label() {
        return entry.label();
    }

    String settings() {
        return settings;
    }

    List<String> types() {
        return types;
    }

    List<RoundResult> rounds() {
        return List.copyOf(rounds);
    }

    double commitsPerSecond() {
        return median(each(RoundResult::commitsPerSecond));
    }

    /** Returns half the distance between the fastest and the slowest round, relative to the median. */
    double spread() {
        double[] all = each(RoundResult::commitsPerSecond);
        Arrays.sort(all);
        return median(all) == 0 ? 0 : (all[all.length - 1] - all[0]) / 2 / median(all);
    }

    double abortsPerSecond() {
        return median(each(round -> round.perSecond(round.allAborts())));
    }

    double perSecond(TxnEnd end) {
        return median(each(round -> round.perSecond(round.count(end))));
    }

    long transactions() {
        return rounds.stream().mapToLong(RoundResult::transactions).sum();
    }

    /** Returns the transactions that were due and not begun before their round was over. */
    long unserved() {
        return rounds.stream()
                .mapToLong(round -> round.unserved().latency().getTotalCount())
                .sum();
    }

    double perTransaction(ToLongFunction<TypeTally> count) {
        return perTransaction(
                rounds.stream().mapToLong(round -> round.sum(count)).sum());
    }

    double bytesAllocatedPerTransaction() {
        return perTransaction(
                rounds.stream().mapToLong(RoundResult::bytesAllocated).sum());
    }

    /** Returns the time of all its processes together, in user and kernel mode. */
    double cpuMicrosPerTransaction() {
        return perTransaction(rounds.stream().mapToLong(RoundResult::cpuNanos).sum()) / 1e3;
    }

    private double perTransaction(long count) {
        return transactions() == 0 ? 0 : (double) count / transactions();
    }

    /** Returns the tally of one type over all rounds. */
    TypeTally type(int number) {
        TypeTally sum = new TypeTally();
        for (RoundResult round : rounds) sum.add(round.types().get(number));
        return sum;
    }

    Map<String, Long> aborts() {
        return sum(RoundResult::aborts);
    }

    Map<String, Long> events() {
        return sum(RoundResult::events);
    }

    private Map<String, Long> sum(Function<RoundResult, Map<String, Long>> counts) {
        Map<String, Long> sum = new TreeMap<>();
        for (RoundResult round : rounds)
            counts.apply(round).forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }

    /** Returns the times of all transactions of all threads and rounds, in nanoseconds. */
    Histogram latency() {
        Histogram all = new TypeTally().latency();
        for (RoundResult round : rounds) round.addLatencyTo(all);
        return all;
    }

    /** Returns the speed as a multiple of the other's, round by round, sorted. */
    double[] timesAsFastAs(Standing other) {
        double[] ratios = new double[rounds.size()];
        for (int i = 0; i < ratios.length; i++)
            ratios[i] =
                    ratio(rounds.get(i).commitsPerSecond(), other.rounds.get(i).commitsPerSecond());
        Arrays.sort(ratios);
        return ratios;
    }

    static double ratio(double of, double to) {
        return to == 0 ? 0 : of / to;
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
}
