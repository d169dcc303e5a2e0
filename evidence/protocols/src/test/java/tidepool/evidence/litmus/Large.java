package tidepool.evidence.litmus;

import tidepool.schema.Key;
import tidepool.schema.Length;

/** A {@link Row} whose tail is as long as a value can hold. */
public record Large(@Key long key, long value, @Length(4000) String tail) {
    private static final int TIMES = 1300;

    public static Large of(long key, long value) {
        return new Large(key, value, Long.toString(value).repeat(TIMES));
    }

    public boolean isWhole() {
        return tail.equals(Long.toString(value).repeat(TIMES));
    }
}
