package tidepool.sim;

import java.util.Arrays;
import tidepool.base.Checks;

/**
 * The future events, by time and then by order of scheduling: a heap of two primitive arrays. A node of the heap has
 * four children, so that a level is half a cache line. Allocates only to grow.
 *
 * <pre>
 *   when[i]   virtual nanoseconds
 *   what[i]   63          26 25         6 5      0
 *             | order       | slot       | tag    |     order: counts all events, so that no two compare equal
 * </pre>
 */
final class EventQueue {
    private static final int TAG_BITS = 6;
    private static final int SLOT_BITS = 20;
    static final int SLOTS = 1 << SLOT_BITS;

    private long[] when = new long[256];
    private long[] what = new long[256];
    private int count;
    private long order;

    int count() {
        return count;
    }

    /** Returns the time of the next event; {@link Long#MAX_VALUE} if there is none. */
    long nextNanos() {
        return count == 0 ? Long.MAX_VALUE : when[0];
    }

    void add(long atNanos, int slot, int tag) {
        if (count == when.length) grow();
        Checks.invariant(order < 1L << (64 - SLOT_BITS - TAG_BITS - 1), "event numbers suffice", order);
        long packed = order++ << (SLOT_BITS + TAG_BITS) | (long) slot << TAG_BITS | tag;
        int at = count++;
        while (at > 0) {
            int parent = (at - 1) >> 2;
            // The new event has the highest order, so it stays after events of equal time.
            if (when[parent] <= atNanos) break;
            when[at] = when[parent];
            what[at] = what[parent];
            at = parent;
        }
        when[at] = atNanos;
        what[at] = packed;
    }

    /** Removes and returns the next event; {@link #slotOf} and {@link #tagOf} decode it. */
    long take() {
        long taken = what[0];
        int last = --count;
        if (last > 0) down(when[last], what[last]);
        return taken;
    }

    static int slotOf(long taken) {
        return (int) (taken >> TAG_BITS) & (SLOTS - 1);
    }

    static int tagOf(long taken) {
        return (int) taken & ((1 << TAG_BITS) - 1);
    }

    private void down(long sinkingWhen, long sinkingWhat) {
        int at = 0;
        while (true) {
            int first = (at << 2) + 1;
            if (first >= count) break;
            int earliest = first;
            int end = Math.min(first + 4, count);
            for (int child = first + 1; child < end; child++)
                if (isBefore(child, when[earliest], what[earliest])) earliest = child;
            if (!isBefore(earliest, sinkingWhen, sinkingWhat)) break;
            when[at] = when[earliest];
            what[at] = what[earliest];
            at = earliest;
        }
        when[at] = sinkingWhen;
        what[at] = sinkingWhat;
    }

    private boolean isBefore(int i, long otherWhen, long otherWhat) {
        return when[i] < otherWhen || (when[i] == otherWhen && what[i] < otherWhat);
    }

    private void grow() {
        when = Arrays.copyOf(when, 2 * count);
        what = Arrays.copyOf(what, 2 * count);
    }
}
