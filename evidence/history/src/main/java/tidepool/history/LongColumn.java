package tidepool.history;

import java.util.Arrays;

/** A growing column of longs. */
final class LongColumn {
    private long[] values = new long[16];
    private int size;

    void add(long value) {
        if (size == values.length) values = Arrays.copyOf(values, size + (size >> 1));
        values[size++] = value;
    }

    long at(int position) {
        return values[position];
    }

    void set(int position, long value) {
        values[position] = value;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /** Returns the column itself, for bulk copies; valid until the next {@link #add}. */
    long[] raw() {
        return values;
    }
}
