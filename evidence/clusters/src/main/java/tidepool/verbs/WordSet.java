package tidepool.verbs;

import java.util.Arrays;

/** A small set of words. */
final class WordSet {
    private long[] values = new long[4];
    private int count;

    boolean contains(long value) {
        for (int i = 0; i < count; i++) if (values[i] == value) return true;
        return false;
    }

    void add(long value) {
        if (contains(value)) return;
        if (count == values.length) values = Arrays.copyOf(values, 2 * count);
        values[count++] = value;
    }

    void addAll(WordSet others) {
        for (int i = 0; i < others.count; i++) add(others.values[i]);
    }

    void remove(long value) {
        for (int i = 0; i < count; i++) if (values[i] == value) values[i--] = values[--count];
    }

    void clear() {
        count = 0;
    }

    void becomeOnly(long value) {
        values[0] = value;
        count = 1;
    }

    void become(WordSet others) {
        if (values.length < others.count) values = new long[others.values.length];
        System.arraycopy(others.values, 0, values, 0, others.count);
        count = others.count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns any of them: the one that was added last. */
    long any() {
        return values[count - 1];
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(values, count));
    }
}
