package tidepool.base;

import java.util.HexFormat;

/** A 128-bit id. As a capability it is a secret, so it is compared in constant time and does not print itself. */
public record Id128(long high, long low) {
    private static final int HEX_DIGITS = 32;

    /** Parses the result of {@link #hex}. */
    public static Id128 fromHex(String hex) {
        Checks.argument(hex.length() == HEX_DIGITS, "an id has 32 hex digits");
        return new Id128(HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, HEX_DIGITS));
    }

    /** Returns all 32 digits: the whole secret. */
    public String hex() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /**
     * Returns whether the id that lies in memory as two words is this one. Compares all bits before it answers, so the
     * duration does not tell how many bits were guessed.
     */
    public boolean matches(long otherHigh, long otherLow) {
        return ((high ^ otherHigh) | (low ^ otherLow)) == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Id128 id && matches(id.high, id.low);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(Randomness.scramble(high ^ Randomness.scramble(low)));
    }

    /** Returns the first four digits: enough to tell ids apart in a log, useless as a capability. */
    @Override
    public String toString() {
        return hex().substring(0, 4) + "…";
    }
}
