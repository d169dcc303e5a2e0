package tidepool.workload;

/**
 * Steps of times from 1 ns to years, for counters in an array: each power of two is divided into equal steps.
 *
 * @param bits logarithm of the number of steps in a power of two
 */
public record TimeSteps(int bits) {
    /** Returns the number of steps. */
    public int count() {
        return Long.SIZE << bits;
    }

    /** Returns the step of a time. A negative time counts as 0. */
    public int of(long nanos) {
        long time = Math.max(0, nanos);
        int steps = 1 << bits;
        if (time < steps) return (int) time;
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(time) - bits;
        return (shift + 1) * steps + (int) (time >>> shift) - steps;
    }

    /** Returns the middle of a step. */
    long nanos(int step) {
        int steps = 1 << bits;
        if (step < steps) return step;
        int shift = step / steps - 1;
        long least = (long) (steps + step % steps) << shift;
        return least + (1L << shift) / 2;
    }

    /**
     * Returns the time that the given percentage of all times does not exceed; 0 if there are no times.
     *
     * @param counts of times, by step
     */
    public long percentile(long[] counts, double percent) {
        long total = 0;
        for (int step = 0; step < count(); step++) total += counts[step];
        long rank = (long) Math.ceil(total * percent / 100);
        for (int step = 0; step < count(); step++) {
            rank -= counts[step];
            if (rank <= 0 && counts[step] > 0) return nanos(step);
        }
        return 0;
    }
}
