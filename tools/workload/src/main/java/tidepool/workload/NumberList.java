package tidepool.workload;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import tidepool.schema.Key;
import tidepool.schema.Length;

/** A list of up to a hundred numbers, the row of list-append. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NumberList(
        @Key long id,
        int count,
        @Length(NumberList.MAX_NUMBERS * Long.BYTES) byte[] bytes) {
    /** Elements of the longest list. */
    public static final int MAX_NUMBERS = 100;

    static NumberList of(long id, long[] elements) {
        ByteBuffer bytes = ByteBuffer.allocate(MAX_NUMBERS * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long element : elements) bytes.putLong(element);
        return new NumberList(id, elements.length, bytes.array());
    }

    long[] elements() {
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long[] elements = new long[count];
        for (int i = 0; i < count; i++) elements[i] = all.getLong();
        return elements;
    }

    static long[] plus(long[] elements, long one) {
        long[] longer = Arrays.copyOf(elements, elements.length + 1);
        longer[elements.length] = one;
        return longer;
    }
}
