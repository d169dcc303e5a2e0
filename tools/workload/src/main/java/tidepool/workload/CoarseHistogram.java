package tidepool.workload;

/**
 * A histogram of times, in steps of a sixteenth of a power of two: within 6 % of the true value, from 1 ns to years. It
 * goes between processes as one short line. Measurements that are compared use HdrHistogram (decision 0006).
 */
public final class CoarseHistogram {
    private static final TimeSteps STEPS = new TimeSteps(4);

    private final long[] counts = new long[STEPS.count()];
    private long total;

    public CoarseHistogram() {}

    public void add(long nanos) {
        counts[STEPS.of(nanos)]++;
        total++;
    }

    /** Adds all times of another histogram. */
    public void add(CoarseHistogram other) {
        for (int i = 0; i < counts.length; i++) counts[i] += other.counts[i];
        total += other.total;
    }

    public long count() {
        return total;
    }

    /** Returns the time that the given percentage of all times does not exceed; 0 if there are no times. */
    public long percentile(double percent) {
        return STEPS.percentile(counts, percent);
    }

    String text() {
        StringBuilder text = new StringBuilder("h");
        for (int i = 0; i < counts.length; i++)
            if (counts[i] > 0) text.append(',').append(i).append(':').append(counts[i]);
        return text.toString();
    }

    static CoarseHistogram parse(String text) {
        CoarseHistogram histogram = new CoarseHistogram();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon < 0) continue;
            long count = Long.parseLong(part.substring(colon + 1));
            histogram.counts[Integer.parseInt(part.substring(0, colon))] += count;
            histogram.total += count;
        }
        return histogram;
    }
}
