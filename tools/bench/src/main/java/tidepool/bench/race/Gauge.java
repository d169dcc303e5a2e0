package tidepool.bench.race;

import java.util.concurrent.atomic.AtomicLongArray;
import tidepool.workload.TimeSteps;

/**
 * The work of one thread so far in a round, for observers: commits and approximate times of transactions. One thread
 * counts without atomic instructions; concurrent readers see slightly old numbers.
 */
final class Gauge {
    private static final TimeSteps STEPS = new TimeSteps(3);
    private static final int COMMITS = STEPS.count();

    private final AtomicLongArray counts = new AtomicLongArray(COMMITS + 1);

    void add(boolean committed, long nanos) {
        if (committed) increment(COMMITS);
        increment(STEPS.of(nanos));
    }

    private void increment(int i) {
        counts.setOpaque(i, counts.getPlain(i) + 1);
    }

    long commits() {
        return counts.getOpaque(COMMITS);
    }

    /** Adds the times to a sum of several gauges, for {@link #percentile}. */
    void addTo(long[] sum) {
        for (int i = 0; i < COMMITS; i++) sum[i] += counts.getOpaque(i);
    }

    static long[] newSum() {
        return new long[COMMITS];
    }

    /** Returns a percentile within an eighth of the true value; 0 if there are no times. */
    static long percentile(long[] sum, double percent) {
        return STEPS.percentile(sum, percent);
    }
}
