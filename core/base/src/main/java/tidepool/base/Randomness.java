package tidepool.base;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A generator of pseudorandom numbers that follow from a seed alone, equal on every machine. The generator is
 * xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021). SplitMix64 fills its
 * state, as the authors advise. It is small and fast and not secret: ids that must not be guessed come from
 * {@link Ids#secure}.
 *
 * <p>{@link #fork} gives each part of a program its own stream, which depends on the seed and the name but not on the
 * number of earlier draws. So one more draw in one place does not change the numbers of any other place.
 *
 * <p>Not thread-safe.
 */
public final class Randomness {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L; // 2^64 / golden ratio, the step of SplitMix64

    private final long seed;
    private long s0;
    private long s1;
    private long s2;
    private long s3;

    public Randomness(long seed) {
        this.seed = seed;
        s0 = scramble(seed + GOLDEN);
        s1 = scramble(seed + 2 * GOLDEN);
        s2 = scramble(seed + 3 * GOLDEN);
        s3 = scramble(seed + 4 * GOLDEN);
    }

    /** Returns a separate stream for the named part. Equal names give equal streams. */
    public Randomness fork(String name) {
        long h = scramble(seed ^ GOLDEN);
        for (byte letter : name.getBytes(StandardCharsets.UTF_8)) h = scramble(h + GOLDEN * (letter & 0xff) + 1);
        return new Randomness(h);
    }

    public long nextLong() {
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long t = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = Long.rotateLeft(s3, 45);
        return result;
    }

    /**
     * Returns a number from 0 to bound - 1, all equally likely. The upper half of a 128-bit product is nearly fair; the
     * few products that would favour some numbers are drawn again (Lemire, "Fast random integer generation", 2019).
     */
    public long nextLong(long bound) {
        Checks.argument(bound > 0, "bound must be positive");
        long drawn = nextLong();
        long low = drawn * bound;
        if (Long.compareUnsigned(low, bound) < 0) {
            long unfair = Long.remainderUnsigned(-bound, bound);
            while (Long.compareUnsigned(low, unfair) < 0) {
                drawn = nextLong();
                low = drawn * bound;
            }
        }
        return Math.unsignedMultiplyHigh(drawn, bound);
    }

    /** Returns a number from 0 to bound - 1, all equally likely. */
    public int nextInt(int bound) {
        return (int) nextLong(bound);
    }

    /** Returns a number from 0 to below 1, in steps of 2^-53. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    public boolean nextBoolean() {
        return nextLong() < 0;
    }

    /** Returns true with probability numerator / denominator. Exact: a fraction needs no rounding. */
    public boolean chance(long numerator, long denominator) {
        return nextLong(denominator) < numerator;
    }

    public <T> T pick(List<T> choices) {
        return choices.get(nextInt(choices.size()));
    }

    public int pick(int[] choices) {
        return choices[nextInt(choices.length)];
    }

    /** Shuffles the numbers; all orders are equally likely (Fisher and Yates). */
    public void shuffle(int[] numbers) {
        for (int left = numbers.length; left > 1; left--) {
            int chosen = nextInt(left);
            int moved = numbers[left - 1];
            numbers[left - 1] = numbers[chosen];
            numbers[chosen] = moved;
        }
    }

    /** The finalizer of SplitMix64: one to one, and every bit of the input reaches every bit of the output. */
    static long scramble(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
