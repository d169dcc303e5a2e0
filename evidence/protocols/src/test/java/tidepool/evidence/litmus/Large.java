package tidepool.evidence.litmus;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tidepool.schema.Key;
import tidepool.schema.Length;

/** A {@link Row} whose tail is as long as a value can hold. */
public record Large(@Key long key, long value, @Length(4000) byte[] tail) {
    private static final int TIMES = 1300;

    public static Large of(long key, long value) {
        return new Large(key, value, tail(value));
    }

    /** The bytes that a string of 4000 bytes would have. */
    private static byte[] tail(long value) {
        return Arrays.copyOf(Long.toString(value).repeat(TIMES).getBytes(StandardCharsets.US_ASCII), 4000);
    }

    public boolean isWhole() {
        return Arrays.equals(tail, tail(value));
    }
}
