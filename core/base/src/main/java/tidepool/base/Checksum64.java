package tidepool.base;

import java.lang.foreign.MemorySegment;

/**
 * A 64-bit checksum over words, by which a reader notices that a record is torn: half old and half new. It gives no
 * protection against an attacker, who can compute it too.
 *
 * <p>Each step {@code h = rotateLeft(h ^ word * A, 29) * B + A}, A and B odd, is one to one in {@code h} for a given
 * word and in the word for a given {@code h}. So two texts that differ in a single word always have different
 * checksums, whichever bits differ. The steps do not commute, so a swap of two words changes the checksum as surely as
 * 64 bits allow. The product of the word does not depend on {@code h}: the dependency chain has one multiplication per
 * word.
 *
 * <p>The result is part of the record format. A change here makes every stored record unreadable.
 */
public final class Checksum64 {
    private static final long WORD_FACTOR = 0x9e3779b97f4a7c15L; // 2^64 / golden ratio
    private static final long CHAIN_FACTOR = 0xd6e8feb86659fd93L; // odd, bits without a pattern
    private static final int ROTATION = 29;

    private Checksum64() {}

    /**
     * Returns the checksum of whole words: {@code finish} of {@code mix} over all of them, beginning with {@code
     * start}.
     */
    public static long of(MemorySegment segment, long offset, long length, long seed) {
        Checks.argument(Words.isAligned(length), "a checksum covers whole words");
        long h = start(seed);
        for (long at = offset; at < offset + length; at += Words.BYTES) h = mix(h, Words.plain(segment, at));
        return finish(h);
    }

    /**
     * Returns whether four texts of one length, each followed by its checksum, have these checksums. Takes little more
     * time than one of them: each step of a chain waits for the one before, and four chains do not wait for each other.
     *
     * @param length of the texts, without the checksums
     */
    public static boolean areFour(
            MemorySegment segment,
            long one,
            long two,
            long three,
            long four,
            long length,
            long seedOne,
            long seedTwo,
            long seedThree,
            long seedFour) {
        Checks.argument(Words.isAligned(length), "a checksum covers whole words");
        long a = start(seedOne);
        long b = start(seedTwo);
        long c = start(seedThree);
        long d = start(seedFour);
        for (long at = 0; at < length; at += Words.BYTES) {
            a = mix(a, Words.plain(segment, one + at));
            b = mix(b, Words.plain(segment, two + at));
            c = mix(c, Words.plain(segment, three + at));
            d = mix(d, Words.plain(segment, four + at));
        }
        return finish(a) == Words.plain(segment, one + length)
                && finish(b) == Words.plain(segment, two + length)
                && finish(c) == Words.plain(segment, three + length)
                && finish(d) == Words.plain(segment, four + length);
    }

    /**
     * Returns the state before the first word. Different seeds give equal contents of different places different
     * checksums.
     */
    public static long start(long seed) {
        return Randomness.scramble(seed + WORD_FACTOR);
    }

    /** Returns the state after one more word. */
    public static long mix(long h, long word) {
        // Without the addition a state of zero would stay zero over zero words, and their number would not count.
        return Long.rotateLeft(h ^ word * WORD_FACTOR, ROTATION) * CHAIN_FACTOR + WORD_FACTOR;
    }

    /** Returns the checksum. Here the last words reach every bit. */
    public static long finish(long h) {
        return Randomness.scramble(h);
    }
}
