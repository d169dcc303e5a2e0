package tidepool.base;

import java.util.Arrays;

/**
 * The strands that wait for a time: a binary heap that remembers each strand's slot in the strand, so that a timer can
 * be taken back. A round that is answered takes its time-out back, else millions of them would pile up.
 */
final class Timers {
    static final int NONE = -1;

    private Strand[] heap = new Strand[16];
    private int count;
    private long nextOrder;

    void set(Strand strand, long atNanos) {
        Checks.invariant(strand.timerSlot == NONE, "a strand has one timer");
        strand.timerNanos = atNanos;
        strand.timerOrder = nextOrder++; // equal times: first come, first served, so that runs repeat
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

    /** Takes the earliest one if its time has come; otherwise null. */
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
