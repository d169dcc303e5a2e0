package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomnessTest {

    /** Seeds in bug reports must repeat for ever. The first number follows from the published algorithm: see below. */
    @Test
    void numbersOfASeedNeverChange() {
        Randomness randomness = new Randomness(0);
        // SplitMix64 from 0 gives e220a8397b1dcdaf 6e789e6aa1b965f4 06c45d188009454f f88bb8a8724c81ec (its published
        // test vector); xoshiro256++ makes rotl(s0 + s3, 23) + s0 of the first and the last.
        long s0 = 0xe220a8397b1dcdafL;
        long s3 = 0xf88bb8a8724c81ecL;

        assertEquals(Long.rotateLeft(s0 + s3, 23) + s0, randomness.nextLong());
        assertEquals(0x53175d61490b23dfL, new Randomness(0).nextLong());
    }

    /** One more draw in one part must not change the numbers of another. */
    @Test
    void forkDependsOnSeedAndNameAlone() {
        Randomness fresh = new Randomness(7);
        Randomness used = new Randomness(7);
        for (int i = 0; i < 5; i++) used.nextLong();

        assertEquals(fresh.fork("network").nextLong(), used.fork("network").nextLong());
        assertNotEquals(fresh.fork("network").nextLong(), fresh.fork("networl").nextLong());
        assertNotEquals(
                fresh.fork("network").nextLong(),
                new Randomness(8).fork("network").nextLong());
        assertNotEquals(fresh.fork("").nextLong(), new Randomness(7).nextLong());
    }

    /** 2^64 is no multiple of this bound: without drawing again, every third number would come less often. */
    @Test
    void hugeBoundsAreFair() {
        Randomness randomness = new Randomness(3);
        int[] counts = new int[3];
        for (int i = 0; i < 30_000; i++) counts[(int) (randomness.nextLong(3L << 61) % 3)]++;

        for (int count : counts) assertEquals(10_000, count, 400);
    }

    @Test
    void smallBoundsReachEveryNumberEquallyOften() {
        Randomness randomness = new Randomness(4);
        int[] counts = new int[7];
        for (int i = 0; i < 70_000; i++) counts[randomness.nextInt(7)]++;

        for (int count : counts) assertEquals(10_000, count, 400);
        assertThrows(IllegalArgumentException.class, () -> randomness.nextInt(0));
    }

    @Test
    void chanceIsAFraction() {
        Randomness randomness = new Randomness(5);
        int hits = 0;
        for (int i = 0; i < 30_000; i++) if (randomness.chance(1, 3)) hits++;

        assertEquals(10_000, hits, 400);
        for (int i = 0; i < 100; i++) assertTrue(randomness.chance(1, 1) && !randomness.chance(0, 1));
    }

    @Test
    void shuffleKeepsEveryNumberAndReachesEveryOrder() {
        Randomness randomness = new Randomness(6);
        int[] orders = new int[1_000];
        for (int i = 0; i < 6_000; i++) {
            int[] numbers = {1, 2, 3};
            randomness.shuffle(numbers);
            assertEquals(6, Arrays.stream(numbers).sum());
            orders[numbers[0] * 100 + numbers[1] * 10 + numbers[2]]++;
        }

        assertEquals(6, IntStream.of(orders).filter(count -> count > 850).count());
    }
}
