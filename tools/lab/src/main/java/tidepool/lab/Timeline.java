package tidepool.lab;

import java.util.ArrayList;
import java.util.List;

/** The commits in each millisecond of a run. */
final class Timeline {
    static final long MILLI = 1_000_000;

    private final Load load;
    private final List<List<Long>> latencies = new ArrayList<>();
    private final long[] tries;
    private long begin = Long.MAX_VALUE; // nothing counts before the begin is known

    /** @param load the coordinators at work, for the points */
    Timeline(int millis, Load load) {
        this.load = load;
        this.tries = new long[millis];
        for (int i = 0; i < millis; i++) latencies.add(new ArrayList<>());
    }

    /** Sets the begin of the first millisecond. Returns the end of the last one. */
    long begin(long nanos) {
        begin = nanos;
        return begin + tries.length * MILLI;
    }

    /** Called when a transaction has committed. */
    void count(long started, long now, int attempts) {
        if (now < begin || now >= begin + tries.length * MILLI) return;
        int at = (int) ((now - begin) / MILLI);
        latencies.get(at).add(now - started);
        tries[at] += attempts;
    }

    /** Returns a point for each millisecond. */
    List<Results.Point> points() {
        List<Results.Point> points = new ArrayList<>();
        for (int i = 0; i < tries.length; i++) {
            List<Long> sorted = latencies.get(i).stream().sorted().toList();
            int commits = sorted.size();
            Sample sample = new Sample(
                    load,
                    commits,
                    commits * 1e9 / MILLI,
                    percentile(sorted, 50),
                    percentile(sorted, 99),
                    sorted.stream().mapToLong(Long::longValue).average().orElse(0) / 1e3,
                    (double) (tries[i] - commits) / Math.max(1, commits),
                    0,
                    0,
                    Sample.Sent.UNKNOWN,
                    "");
            points.add(new Results.Point(i, sample));
        }
        return points;
    }

    private static double percentile(List<Long> sorted, int percent) {
        if (sorted.isEmpty()) return 0;
        return sorted.get((int) Math.ceil(sorted.size() * (percent / 100.0)) - 1) / 1e3;
    }
}
