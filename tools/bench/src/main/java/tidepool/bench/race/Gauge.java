package tidepool.bench.race;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The work of one thread so far in a round, for observers: commits and approximate times of transactions. One thread
 * counts without atomic instructions; concurrent readers see slightly old numbers.
 */
final class Gauge {
    private static final int STEP_BITS = 3;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int COMMITS = Long.SIZE * STEPS;

    private final AtomicLongArray counts = new AtomicLongArray(COMMITS + 1);

    void add(boolean committed, long nanos) {
        if (committed) increment(COMMITS);
        increment(step(Math.max(0, nanos)));
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
        long total = 0;
        for (long count : sum) total += count;
        long rank = (long) Math.ceil(total * percent / 100);
        for (int i = 0; i < sum.length; i++) {
            rank -= sum[i];
            if (rank <= 0 && sum[i] > 0) return value(i);
        }
        return 0;
    }

    private static int step(long nanos) {
        if (nanos < STEPS) return (int) nanos;
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - STEP_BITS;
        return (shift + 1) * STEPS + (int) (nanos >>> shift) - STEPS;
    }

    private static long value(int step) {
        if (step < STEPS) return step;
        int shift = step / STEPS - 1;
        return ((long) (STEPS + step % STEPS) << shift) + (1L << shift) / 2;
    }
}
