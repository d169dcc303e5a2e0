package tidepool.workload.measured.draw;

import tidepool.base.Randomness;

/** A way to draw numbers. Has no state, so all clients can share one. */
@FunctionalInterface
public interface Draw {
    /** Draws the next number. */
    long draw(Randomness random);

    /** Draws from 0 to {@code count - 1}, each with equal probability. */
    static Draw uniform(long count) {
        return random -> random.nextLong(count);
    }

    /** Draws from 0 to {@code count - 1} by Zipf's law, 0 the most likely; an exponent of 0 is uniform. */
    static Draw zipf(long count, double exponent) {
        return exponent == 0 ? uniform(count) : new Zipf(count, exponent);
    }
}
