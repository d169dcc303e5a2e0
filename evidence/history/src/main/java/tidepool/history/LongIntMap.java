package tidepool.history;

import java.util.Arrays;

/** A map from longs to non-negative ints, by open addressing: no object per entry. */
final class LongIntMap {
    static final int ABSENT = -1;

    private long[] keys = new long[64];
    private int[] values = filled(64);
    private int size;

    int get(long key) {
        return values[slot(keys, values, key)];
    }

    void put(long key, int value) {
        int slot = slot(keys, values, key);
        if (values[slot] == ABSENT) {
            size++;
            keys[slot] = key;
        }
        values[slot] = value;
        if (size * 2 > values.length) grow();
    }

    /** Spreads a number over all bits (the finalizer of SplitMix64), since keys of a workload are mostly small. */
    static long mix(long key) {
        long z = key + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = filled(keys.length);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] == ABSENT) continue;
            int slot = slot(keys, values, oldKeys[i]);
            keys[slot] = oldKeys[i];
            values[slot] = oldValues[i];
        }
    }

    private static int slot(long[] keys, int[] values, long key) {
        int mask = keys.length - 1;
        int slot = (int) mix(key) & mask;
        while (values[slot] != ABSENT && keys[slot] != key) slot = (slot + 1) & mask;
        return slot;
    }

    private static int[] filled(int length) {
        int[] values = new int[length];
        Arrays.fill(values, ABSENT);
        return values;
    }
}
