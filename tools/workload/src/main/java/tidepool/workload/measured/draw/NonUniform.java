package tidepool.workload.measured.draw;

import tidepool.base.Checks;
import tidepool.base.Randomness;

/**
 * NURand of TPC-C, §2.1.6, which TATP uses too: (((random(0, a) | random(first, last)) + c) mod (last - first + 1)) +
 * first. Numbers with many bits set are drawn more often.
 *
 * @param a one less than a power of two
 * @param first the smallest number
 * @param last the largest number
 * @param c shifts the hot numbers
 */
public record NonUniform(long a, long first, long last, long c) implements Draw {
    /** Refuses parameters outside the formula's domain. */
    public NonUniform {
        Checks.argument(a > 0 && (a & a + 1) == 0, "a is one less than a power of two");
        Checks.argument(first >= 0 && first <= last, "something to choose from is needed");
    }

    @Override
    public long draw(Randomness random) {
        long mask = random.nextLong(a + 1);
        long plain = first + random.nextLong(last - first + 1);
        return ((mask | plain) + c) % (last - first + 1) + first;
    }
}
