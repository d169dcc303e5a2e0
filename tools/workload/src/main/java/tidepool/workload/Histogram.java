package tidepool.workload;

/**
 * A histogram of times, in steps of a sixteenth of a power of two: within 6 % of the true value, from 1 ns to years.
 */
public final class Histogram {
    private static final int STEP_BITS = 4;
    private static final int STEPS = 1 << STEP_BITS;

    private final long[] counts = new long[Long.SIZE * STEPS];
    private long total;

    public Histogram() {}

    public void add(long nanos) {
        counts[step(Math.max(0, nanos))]++;
        total++;
    }

    /** Adds all times of another histogram. */
    public void add(Histogram other) {
        for (int i = 0; i < counts.length; i++) counts[i] += other.counts[i];
        total += other.total;
    }

    public long count() {
        return total;
    }

    /** Returns the time that the given percentage of all times does not exceed; 0 if there are no times. */
    public long percentile(double percent) {
        long rank = (long) Math.ceil(total * percent / 100);
        for (int i = 0; i < counts.length; i++) {
            rank -= counts[i];
            if (rank <= 0 && counts[i] > 0) return value(i);
        }
        return 0;
    }

    private static int step(long nanos) {
        if (nanos < STEPS) return (int) nanos;
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - STEP_BITS;
        return (shift + 1) * STEPS + (int) (nanos >>> shift) - STEPS;
    }

    /** Returns the middle of a step. */
    private static long value(int step) {
        if (step < STEPS) return step;
        int shift = step / STEPS - 1;
        long lowest = (long) (STEPS + step % STEPS) << shift;
        return lowest + (1L << shift) / 2;
    }

    String text() {
        StringBuilder text = new StringBuilder("h");
        for (int i = 0; i < counts.length; i++)
            if (counts[i] > 0) text.append(',').append(i).append(':').append(counts[i]);
        return text.toString();
    }

    static Histogram parse(String text) {
        Histogram histogram = new Histogram();
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
