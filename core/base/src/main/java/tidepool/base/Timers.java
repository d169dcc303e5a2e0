package tidepool.base;

import java.util.Arrays;

/**
 * The strands that wait for a time: a binary heap. Each strand holds its own slot, so that its timer can be cancelled.
 * An answered round cancels its time-out. Otherwise millions of them would accumulate.
 */
final class Timers {
    static final int NONE = -1;

    private Strand[] heap = new Strand[16];
    private int count;
    private long nextOrder;

    void set(Strand strand, long atNanos) {
        Checks.invariant(strand.timerSlot == NONE, "a strand has one timer");
        strand.timerNanos = atNanos;
        strand.timerOrder = nextOrder++; // equal times: in the order of setting, so that runs repeat
        if (count == heap.length) heap = Arrays.copyOf(heap, 2 * count);
        up(count++, strand);
    }

    /** Does nothing if the strand has no timer. */
    void cancel(Strand strand) {
        int slot = strand.timerSlot;
        if (slot == NONE) return;
        strand.timerSlot = NONE;
        Strand last = heap[--count];
        heap[count] = null;
        if (last == strand) return;
        down(slot, last);
        if (last.timerSlot == slot) up(slot, last);
    }

    long nextNanos() {
        return count == 0 ? Long.MAX_VALUE : heap[0].timerNanos;
    }

    /** Removes and returns the earliest strand if its time has come; otherwise returns null. */
    Strand takeDue(long nowNanos) {
        if (count == 0 || heap[0].timerNanos > nowNanos) return null;
        Strand due = heap[0];
        cancel(due);
        return due;
    }

    private void up(int slot, Strand strand) {
        while (slot > 0) {
            int parent = (slot - 1) >>> 1;
            if (!isBefore(strand, heap[parent])) break;
            put(slot, heap[parent]);
            slot = parent;
        }
        put(slot, strand);
    }

    private void down(int slot, Strand strand) {
        for (int child = 2 * slot + 1; child < count; child = 2 * slot + 1) {
            if (child + 1 < count && isBefore(heap[child + 1], heap[child])) child++;
            if (!isBefore(heap[child], strand)) break;
            put(slot, heap[child]);
            slot = child;
        }
        put(slot, strand);
    }

    private void put(int slot, Strand strand) {
        heap[slot] = strand;
        strand.timerSlot = slot;
    }

    private static boolean isBefore(Strand a, Strand b) {
        return a.timerNanos != b.timerNanos ? a.timerNanos < b.timerNanos : a.timerOrder < b.timerOrder;
    }
}
