package tidepool.store;

import tidepool.base.Checks;

/** Division by a constant divisor, done by a multiplication. */
final class FixedDivisor {
    /** The smallest integer above 2^64 / divisor: too large by less than one. */
    private final long inverse;

    /** @param divisor from 2 to 2^20 */
    FixedDivisor(long divisor) {
        Checks.argument(divisor >= 2 && divisor <= 1L << 20, "a divisor from 2 to 2^20, not " + divisor);
        this.inverse = Long.divideUnsigned(-1, divisor) + 1;
    }

    /**
     * Returns the quotient, rounded down. The error of the inverse changes the product by less than number / 2^64. A
     * quotient that is not whole is at least 1 / divisor below the next integer. So numbers up to 2^43 are safe.
     */
    long of(long number) {
        Checks.invariant(number >= 0 && number < 1L << 43, "a number that is not too large", number);
        return Math.unsignedMultiplyHigh(number, inverse);
    }
}
