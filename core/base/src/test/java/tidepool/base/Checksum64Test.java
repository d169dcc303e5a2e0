package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class Checksum64Test {
    private static final int WORDS = 32;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(WORDS * Words.BYTES, Words.BYTES);
    private final Randomness randomness = new Randomness(11);

    @AfterEach
    void close() {
        arena.close();
    }

    private void fill() {
        for (int i = 0; i < WORDS; i++) Words.plain(memory, i * 8L, randomness.nextLong());
    }

    private long checksum() {
        return Checksum64.of(memory, 0, memory.byteSize(), 0);
    }

    /** Over zeros as well as over noise: most of a young record is zero. */
    @Test
    void everyBitFlipChangesIt() {
        for (int contents = 0; contents < 2; contents++) {
            long whole = checksum();
            for (int bit = 0; bit < WORDS * 64; bit++) {
                long at = bit / 64 * 8L;
                long word = Words.plain(memory, at);
                Words.plain(memory, at, word ^ 1L << bit);
                assertNotEquals(whole, checksum(), "bit=" + bit);
                Words.plain(memory, at, word);
            }
            fill();
        }
    }

    /** Four texts that are checked together have the checksums that each has alone; a flip in any of them is found. */
    @Test
    void fourTogetherAreFourAlone() {
        fill();
        long length = (WORDS / 4 - 1) * (long) Words.BYTES;
        long each = length + Words.BYTES;
        for (int i = 0; i < 4; i++) Words.plain(memory, i * each + length, Checksum64.of(memory, i * each, length, i));
        assertTrue(areFour(each, length, 0));
        assertFalse(areFour(each, length, 7));
        for (int bit = 0; bit < WORDS * 64; bit++) {
            long at = bit / 64 * 8L;
            long word = Words.plain(memory, at);
            Words.plain(memory, at, word ^ 1L << bit);
            assertFalse(areFour(each, length, 0), "bit=" + bit);
            Words.plain(memory, at, word);
        }
    }

    private boolean areFour(long each, long length, long seed) {
        return Checksum64.areFour(memory, 0, each, 2 * each, 3 * each, length, seed, 1, 2, 3);
    }

    /** A torn read shows old words in place of new ones; also words that only changed places. */
    @Test
    void everySwapOfTwoWordsChangesIt() {
        fill();
        for (int i = 0; i < 8; i++) Words.plain(memory, i * 8L, i); // small numbers are the likely contents
        long whole = checksum();
        for (int i = 0; i < WORDS; i++) {
            for (int j = 0; j < i; j++) {
                swap(i, j);
                assertNotEquals(whole, checksum(), "words " + i + " and " + j);
                swap(i, j);
            }
        }
    }

    private void swap(int i, int j) {
        long word = Words.plain(memory, i * 8L);
        Words.plain(memory, i * 8L, Words.plain(memory, j * 8L));
        Words.plain(memory, j * 8L, word);
    }

    /** Tearing leaves a mixture of two versions, word by word: no mixture may pass for either version. */
    @Test
    void noMixtureOfTwoVersionsPasses() {
        int words = 12;
        long[] older = new long[words];
        long[] newer = new long[words];
        for (int i = 0; i < words; i++) {
            older[i] = i;
            newer[i] = i + 1;
        }
        Set<Long> seen = new HashSet<>();
        for (int mixture = 0; mixture < 1 << words; mixture++) {
            long h = Checksum64.start(0);
            for (int i = 0; i < words; i++) h = Checksum64.mix(h, (mixture >> i & 1) == 0 ? older[i] : newer[i]);
            assertTrue(seen.add(Checksum64.finish(h)), "mixture=" + mixture);
        }
    }

    @Test
    void numberOfZeroWordsAndSeedCount() {
        Set<Long> seen = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            for (int words = 0; words <= WORDS; words++) seen.add(Checksum64.of(memory, 0, words * 8L, seed));
        }

        assertEquals(100 * (WORDS + 1), seen.size());
    }

    @Test
    void emptyTextHasAChecksumAndHalfAWordHasNone() {
        assertEquals(Checksum64.finish(Checksum64.start(5)), Checksum64.of(memory, 8, 0, 5));
        assertThrows(IllegalArgumentException.class, () -> Checksum64.of(memory, 0, 12, 0));
    }

    @Test
    void offsetSelectsTheWords() {
        fill();
        long h = Checksum64.mix(Checksum64.mix(Checksum64.start(9), Words.plain(memory, 16)), Words.plain(memory, 24));

        assertEquals(Checksum64.finish(h), Checksum64.of(memory, 16, 16, 9));
    }

    /** A flipped bit flips each bit of the result about half of the time; counters make good keys of a hash table. */
    @Test
    void bitsSpreadEvenly() {
        int[] flips = new int[64];
        int trials = 4_000;
        for (int trial = 0; trial < trials; trial++) {
            long word = trial;
            long flipped = word ^ 1L << trial % 64;
            long difference = Checksum64.finish(Checksum64.mix(Checksum64.start(1), word))
                    ^ Checksum64.finish(Checksum64.mix(Checksum64.start(1), flipped));
            for (int bit = 0; bit < 64; bit++) flips[bit] += (int) (difference >>> bit & 1);
        }

        for (int count : flips) assertEquals(trials / 2.0, count, trials / 15.0);
    }

    /** Stored records contain it: a changed number here means that old pools cannot be read any more. */
    @Test
    void itIsPartOfTheFormat() {
        for (int i = 0; i < 4; i++) Words.plain(memory, i * 8L, i);

        // Computed independently of this code, from the formula in the class comment.
        assertEquals(0xb0e6e76cf75906e4L, Checksum64.of(memory, 0, 32, 0));
    }
}
