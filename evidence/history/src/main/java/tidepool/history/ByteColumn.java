package tidepool.history;

import java.util.Arrays;

/** A growing column of bytes. */
final class ByteColumn {
    private byte[] values = new byte[16];
    private int size;

    void add(byte value) {
        if (size == values.length) values = Arrays.copyOf(values, size + (size >> 1));
        values[size++] = value;
    }

    byte at(int position) {
        return values[position];
    }

    void set(int position, byte value) {
        values[position] = value;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }
}
