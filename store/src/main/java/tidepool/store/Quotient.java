package tidepool.store;

import tidepool.base.Checks;

/** Divides by a number that is known long before, with a multiplication instead of a division. */
final class Quotient {
    /** The next number above 2^64 / divisor: too large by less than one. */
    private final long inverse;

    /** @param divisor from 2 to 2^20 */
    Quotient(long divisor) {
        Checks.argument(divisor >= 2 && divisor <= 1L << 20, "a divisor from 2 to 2^20, not " + divisor);
        this.inverse = Long.divideUnsigned(-1, divisor) + 1;
    }

    /**
     * The quotient, rounded down. What the inverse has too much makes less than number / 2^64 of difference, and a quotient that
     * is not whole is at least 1 / divisor below the next: numbers up to 2^43 are safe.
     */
    long of(long number) {
        Checks.invariant(number >= 0 && number < 1L << 43, "a number that is not too large", number);
        return Math.unsignedMultiplyHigh(number, inverse);
    }
}
