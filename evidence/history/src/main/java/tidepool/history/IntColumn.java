package tidepool.history;

import java.util.Arrays;

/** A growing column of ints. A list of {@code Integer} would cost five times the memory of a large history. */
final class IntColumn {
    private int[] values = new int[16];
    private int size;

    void add(int value) {
        if (size == values.length) values = Arrays.copyOf(values, size + (size >> 1));
        values[size++] = value;
    }

    int at(int position) {
        return values[position];
    }

    void set(int position, int value) {
        values[position] = value;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
