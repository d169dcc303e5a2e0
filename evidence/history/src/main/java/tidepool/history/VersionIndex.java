package tidepool.history;

import java.util.Arrays;

/**
 * Finds the write of a version by key and value. Stores only the number of the operation: the rest is in {@link Ops}.
 */
final class VersionIndex {
    static final int NO_WRITE = -1;

    private final Ops ops;
    private int[] slots = new int[1 << 10];
    private int size;

    VersionIndex(Ops ops) {
        this.ops = ops;
        Arrays.fill(slots, NO_WRITE);
    }

    /** Adds a write. Returns the write that has already made this version, or {@link #NO_WRITE}. */
    int add(int write) {
        int slot = slot(ops.key(write), ops.value(write));
        if (slots[slot] != NO_WRITE) return slots[slot];
        slots[slot] = write;
        if (++size * 2 > slots.length) grow();
        return NO_WRITE;
    }

    /** Returns the operation that wrote the version, or {@link #NO_WRITE}. */
    int find(int key, long value) {
        return slots[slot(key, value)];
    }

    private int slot(int key, long value) {
        int mask = slots.length - 1;
        int slot = (int) LongIntMap.mix(value * 0x9e3779b97f4a7c15L + key) & mask;
        while (slots[slot] != NO_WRITE && !(ops.value(slots[slot]) == value && ops.key(slots[slot]) == key)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] old = slots;
        slots = new int[old.length * 2];
        Arrays.fill(slots, NO_WRITE);
        for (int write : old) {
            if (write != NO_WRITE) slots[slot(ops.key(write), ops.value(write))] = write;
        }
    }
}
