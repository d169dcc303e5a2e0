package tidepool.base;

import java.lang.foreign.MemorySegment;

/**
 * A 64-bit checksum over words, by which a reader notices that a record is torn: half old and half new. Not against an
 * attacker, who can compute it too.
 *
 * <p>Each step {@code h = rotateLeft(h ^ word * A, 29) * B + A}, A and B odd, is one to one in {@code h} for a given
 * word and in the word for a given {@code h}. So two texts that differ in a single word always have different
 * checksums, whichever bits differ; and since the steps do not commute, a swap of two words changes it as surely as 64
 * bits can tell. The product of the word does not wait for {@code h}: the chain has one multiplication per word.
 *
 * <p>The result is part of the record format: changing it here makes every stored record unreadable.
 */
public final class Checksum64 {
    private static final long WORD_FACTOR = 0x9e3779b97f4a7c15L; // 2^64 / golden ratio
    private static final long CHAIN_FACTOR = 0xd6e8feb86659fd93L; // odd, its bits without a pattern
    private static final int ROTATION = 29;

    private Checksum64() {}

    /** The checksum of whole words: {@code finish} of {@code mix} over all of them, beginning with {@code start}. */
    public static long of(MemorySegment segment, long offset, long length, long seed) {
        Checks.argument(Words.isAligned(length), "a checksum covers whole words");
        long h = start(seed);
        for (long at = offset; at < offset + length; at += Words.BYTES) h = mix(h, Words.plain(segment, at));
        return finish(h);
    }

    /** The state before the first word; different seeds keep equal contents of different places apart. */
    public static long start(long seed) {
        return Randomness.scramble(seed + WORD_FACTOR);
    }

    /** Takes in one more word. */
    public static long mix(long h, long word) {
        // The addition keeps a state of zero from swallowing zero words, whose number would then not count.
        return Long.rotateLeft(h ^ word * WORD_FACTOR, ROTATION) * CHAIN_FACTOR + WORD_FACTOR;
    }

    /** The checksum, in which the last words have reached every bit. */
    public static long finish(long h) {
        return Randomness.scramble(h);
    }
}
