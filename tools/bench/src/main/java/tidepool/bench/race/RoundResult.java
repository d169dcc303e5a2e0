package tidepool.bench.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The result of one round of a contender, which is passed between processes as a line of text.
 *
 * @param nanos from the start to the end of the last transaction
 * @param types transactions that have ended, by the type's number
 * @param unserved transactions that were due and not begun before the end; only their times are known
 * @param aborts attempts that were aborted, by reason
 * @param events counts of other events
 * @param bytesAllocated by the threads that worked
 * @param series the progress over time
 * @param cpuNanos processor time of the contender's process and its descendants; added by the parent process
 */
record RoundResult(
        long nanos,
        List<TypeTally> types,
        TypeTally unserved,
        Map<String, Long> aborts,
        Map<String, Long> events,
        long bytesAllocated,
        List<TimePoint> series,
        long cpuNanos) {

    long count(TxnEnd end) {
        return sum(type -> type.count(end));
    }

    /** Returns the number of transactions that have ended in any way. */
    long transactions() {
        return sum(TypeTally::transactions);
    }

    long sum(ToLongFunction<TypeTally> count) {
        return types.stream().mapToLong(count).sum();
    }

    double perSecond(long count) {
        return count * 1e9 / nanos;
    }

    double commitsPerSecond() {
        return perSecond(count(TxnEnd.COMMITTED));
    }

    long allAborts() {
        return aborts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Adds the times of all types and of unserved transactions. */
    void addLatencyTo(Histogram sum) {
        for (TypeTally type : types) sum.add(type.latency());
        sum.add(unserved.latency());
    }

    /** Returns the times of all transactions, those included that were due and not begun. */
    Histogram latency() {
        Histogram all = new TypeTally().latency();
        addLatencyTo(all);
        return all;
    }

    /** Returns the time of all its processes together, in user and kernel mode. */
    double cpuMicrosPerTransaction() {
        return transactions() == 0 ? 0 : cpuNanos / 1e3 / transactions();
    }

    RoundResult withCpu(long nanosOfProcessor) {
        return new RoundResult(nanos, types, unserved, aborts, events, bytesAllocated, series, nanosOfProcessor);
    }

    String line() {
        List<String> words = new ArrayList<>();
        words.add(Long.toString(nanos));
        words.add(Long.toString(bytesAllocated));
        words.add(text(aborts));
        words.add(text(events));
        words.add(seriesText());
        words.add(unserved.text());
        for (TypeTally type : types) words.add(type.text());
        return String.join(" ", words);
    }

    static RoundResult parse(String line) {
        String[] words = line.split(" ", -1);
        List<TypeTally> types = new ArrayList<>();
        for (int i = 6; i < words.length; i++) types.add(TypeTally.parse(words[i]));
        return new RoundResult(
                Long.parseLong(words[0]),
                types,
                TypeTally.parse(words[5]),
                counts(words[2]),
                counts(words[3]),
                Long.parseLong(words[1]),
                series(words[4]),
                0);
    }

    private static String text(Map<String, Long> counts) {
        StringBuilder text = new StringBuilder("-");
        counts.forEach((name, count) -> text.append(',')
                .append(name.replaceAll("[ ,:]", "-"))
                .append(':')
                .append(count));
        return text.toString();
    }

    private static Map<String, Long> counts(String text) {
        Map<String, Long> counts = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon > 0) counts.put(part.substring(0, colon), Long.parseLong(part.substring(colon + 1)));
        }
        return counts;
    }

    private String seriesText() {
        StringBuilder text = new StringBuilder("-");
        for (TimePoint point : series)
            text.append(',').append(point.millis()).append(':').append(point.commits());
        return text.toString();
    }

    private static List<TimePoint> series(String text) {
        List<TimePoint> series = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon > 0)
                series.add(new TimePoint(
                        Long.parseLong(part.substring(0, colon)), Long.parseLong(part.substring(colon + 1))));
        }
        return series;
    }
}
