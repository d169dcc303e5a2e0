package tidepool.base;

/** A 128-bit id, random enough that nobody guesses it. Compared in constant time, so that guessing gets no hints. */
public record Id128(long high, long low) {
    public boolean matches(long otherHigh, long otherLow) {
        return ((high ^ otherHigh) | (low ^ otherLow)) == 0;
    }

    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
