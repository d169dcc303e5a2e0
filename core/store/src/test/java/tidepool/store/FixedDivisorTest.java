package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tidepool.base.InvariantException;
import tidepool.base.Randomness;

/** Division by a constant, without a division. */
class FixedDivisorTest {
    private static final long MAX_NUMBER = (1L << 43) - 1;

    /** The smallest error of a quotient shows around a multiple of the divisor. */
    @Test
    void itIsTheQuotientAlsoAroundMultiples() {
        Randomness random = new Randomness(1);
        for (int i = 0; i < 200_000; i++) {
            long divisor = 2 + (random.nextLong() >>> 1) % ((1L << 20 - i % 19) - 1);
            long multiple = (random.nextLong() >>> 1) % (MAX_NUMBER / divisor) * divisor;
            FixedDivisor fixed = new FixedDivisor(divisor);
            for (long number = Math.max(0, multiple - 1); number <= multiple + 1; number++)
                assertEquals(number / divisor, fixed.of(number), number + " / " + divisor);
        }
    }

    @Test
    void theLargestNumbersAndDivisorsAreRightAndNothingBeyondIsTaken() {
        for (long divisor : new long[] {2, 3, 127, 128, 1088, (1L << 20) - 1, 1L << 20})
            for (long number = MAX_NUMBER - 2 * divisor; number <= MAX_NUMBER; number += Math.max(1, divisor / 7))
                assertEquals(number / divisor, new FixedDivisor(divisor).of(number), number + " / " + divisor);
        assertEquals(MAX_NUMBER / 3, new FixedDivisor(3).of(MAX_NUMBER));
        assertThrows(IllegalArgumentException.class, () -> new FixedDivisor(1));
        assertThrows(IllegalArgumentException.class, () -> new FixedDivisor((1L << 20) + 1));
        assertThrows(InvariantException.class, () -> new FixedDivisor(3).of(MAX_NUMBER + 1));
        assertThrows(InvariantException.class, () -> new FixedDivisor(3).of(-1));
    }
}
