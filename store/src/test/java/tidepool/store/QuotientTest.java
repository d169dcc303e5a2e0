package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tidepool.base.InvariantException;
import tidepool.base.Randomness;

/** Divisions without a division. */
class QuotientTest {
    private static final long MOST = (1L << 43) - 1;

    /** Around every multiple a quotient that is too large or too small by the least shows. */
    @Test
    void itIsTheQuotientAlsoAroundMultiples() {
        Randomness random = new Randomness(1);
        for (int i = 0; i < 200_000; i++) {
            long divisor = 2 + (random.nextLong() >>> 1) % ((1L << 20 - i % 19) - 1);
            long multiple = (random.nextLong() >>> 1) % (MOST / divisor) * divisor;
            Quotient quotient = new Quotient(divisor);
            for (long number = Math.max(0, multiple - 1); number <= multiple + 1; number++)
                assertEquals(number / divisor, quotient.of(number), number + " / " + divisor);
        }
    }

    @Test
    void theLargestNumbersAndDivisorsAreRightAndNothingBeyondIsTaken() {
        for (long divisor : new long[] {2, 3, 127, 128, 1088, (1L << 20) - 1, 1L << 20})
            for (long number = MOST - 2 * divisor; number <= MOST; number += Math.max(1, divisor / 7))
                assertEquals(number / divisor, new Quotient(divisor).of(number), number + " / " + divisor);
        assertEquals(MOST / 3, new Quotient(3).of(MOST));
        assertThrows(IllegalArgumentException.class, () -> new Quotient(1));
        assertThrows(IllegalArgumentException.class, () -> new Quotient((1L << 20) + 1));
        assertThrows(InvariantException.class, () -> new Quotient(3).of(MOST + 1));
        assertThrows(InvariantException.class, () -> new Quotient(3).of(-1));
    }
}
