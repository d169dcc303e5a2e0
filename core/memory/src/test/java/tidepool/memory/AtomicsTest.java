package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;

class AtomicsTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(24, 8);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void swapAgreesWithABitByBitModel(long seed) {
        Random random = new Random(seed);
        int swapped = 0;
        for (int i = 0; i < 20_000; i++) {
            String when = "seed=" + seed + " step=" + i;
            long word = random.nextLong();
            long compareMask = mask(random);
            // Mostly equal to the word in the compared bits, otherwise almost every swap would be refused.
            long expected = random.nextInt(4) == 0 ? random.nextLong() : word ^ (random.nextLong() & ~compareMask);
            long desired = random.nextLong();
            long swapMask = mask(random);
            Words.plain(memory, 8, word);

            long found = Atomics.maskedCompareAndSwap(memory, 8, expected, compareMask, desired, swapMask);

            long now = Words.plain(memory, 8);
            assertEquals(word, found, when);
            assertEquals(swappedBitByBit(word, expected, compareMask, desired, swapMask), now, when);
            if (now != word) swapped++;
        }
        assertEquals(0, Words.plain(memory, 0) | Words.plain(memory, 16), "the neighbours are untouched");
        if (swapped < 5_000 || swapped > 19_000) throw new AssertionError("the generator is one-sided: " + swapped);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void sumAgreesWithABitByBitModel(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String when = "seed=" + seed + " step=" + i;
            long word = random.nextInt(4) == 0 ? -1 : random.nextLong();
            long delta = random.nextInt(4) == 0 ? 1 : random.nextLong();
            long tops = mask(random);
            Words.plain(memory, 8, word);

            long found = Atomics.maskedFetchAndAdd(memory, 8, delta, tops);

            assertEquals(word, found, when);
            assertEquals(sumBitByBit(word, delta, tops), Words.plain(memory, 8), when);
        }
        assertEquals(0, Words.plain(memory, 0) | Words.plain(memory, 16), "the neighbours are untouched");
    }

    /** Shows that the model notices the difference: an ordinary sum lets a carry pass from one field into the next. */
    @Test
    void carryStopsAtTheTopOfAField() {
        assertEquals(0x0000_0000_0000_0100L, 0xffL + 1);
        assertEquals(0, sumBitByBit(0xff, 1, 0x80));
        assertEquals(0, Atomics.sumOfFields(0xff, 1, 0x80));
        assertEquals(0x100, Atomics.sumOfFields(0xff, 1, 0));
        assertNotEquals(sumBitByBit(0xff, 1, 0x80), sumBitByBit(0xff, 1, 0));
    }

    /** Four counters in one word, each counted by a thread of its own; none disturbs another. */
    @Test
    void fieldsCountOnTheirOwnUnderContention() {
        long tops = 0x8000_8000_8000_8000L;
        Together.run(4, t -> {
            for (int i = 0; i < 70_000; i++) Atomics.maskedFetchAndAdd(memory, 0, 1L << 16 * t, tops);
        });

        long each = 70_000 & 0xffff; // they overflowed once
        assertEquals(each << 48 | each << 32 | each << 16 | each, Words.plain(memory, 0));
    }

    /** Two locks in one word, each taken and released by masked swaps: no two threads hold one lock. */
    @Test
    void locksInOneWordExcludeUnderContention() {
        long[] inside = new long[16];
        Together.run(4, t -> {
            int lock = t % 2;
            long mask = 0xffL << 8 * lock;
            long mine = (t + 1L) << 8 * lock;
            for (int i = 0; i < 5_000; i++) {
                while ((Atomics.maskedCompareAndSwap(memory, 0, 0, mask, mine, mask) & mask) != 0) Thread.yield();
                inside[lock * 8]++;
                long found = Atomics.maskedCompareAndSwap(memory, 0, mine, mask, 0, mask);
                assertEquals(mine, found & mask, "nobody else is in");
            }
        });

        assertEquals(10_000, inside[0]);
        assertEquals(10_000, inside[8]);
        assertEquals(0, Words.plain(memory, 0));
    }

    private static long mask(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Long.MIN_VALUE;
            case 3 -> 1;
            case 4 -> 1L << random.nextInt(64) | 1L << random.nextInt(64);
            default -> random.nextLong();
        };
    }

    private static long swappedBitByBit(long word, long expected, long compareMask, long desired, long swapMask) {
        for (int bit = 0; bit < 64; bit++) if (is(compareMask, bit) && is(word, bit) != is(expected, bit)) return word;
        long result = 0;
        for (int bit = 0; bit < 64; bit++) if (is(is(swapMask, bit) ? desired : word, bit)) result |= 1L << bit;
        return result;
    }

    private static long sumBitByBit(long word, long delta, long tops) {
        long result = 0;
        boolean carry = false;
        for (int bit = 0; bit < 64; bit++) {
            int ones = (is(word, bit) ? 1 : 0) + (is(delta, bit) ? 1 : 0) + (carry ? 1 : 0);
            if (ones % 2 == 1) result |= 1L << bit;
            carry = ones > 1 && !is(tops, bit);
        }
        return result;
    }

    private static boolean is(long word, int bit) {
        return (word >>> bit & 1) == 1;
    }
}
