package tidepool.evidence.litmus;

import tidepool.schema.Key;
import tidepool.schema.Length;

/** A row with a number, and a tail of several cache lines that repeats it, so that a torn row is detected. */
public record Row(@Key long key, long value, @Length(160) String tail) {
    private static final int TIMES = 12;

    public static Row of(long key, long value) {
        return new Row(key, value, Long.toString(value).repeat(TIMES));
    }

    public boolean isWhole() {
        return tail.equals(Long.toString(value).repeat(TIMES));
    }
}
