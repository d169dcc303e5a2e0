package tidepool.tcp.node;

import java.util.Arrays;

/**
 * Answers that must not leave before what they say is kept, in the order in which they lie in an outbox. Places are
 * counted from the first byte that the connection was ever answered.
 */
final class Holds {
    private static final int FIELDS = 4;

    private long[] ring = new long[8 * FIELDS];
    private int first;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * @param start where the answer begins
     * @param frames that were answered before it
     * @param refusable whether its last verb is a FLUSH, so that it alone can still be refused
     */
    void add(long start, long ticket, long frames, boolean refusable) {
        if ((count + 1) * FIELDS > ring.length) grow();
        int at = at(count++);
        ring[at] = start;
        ring[at + 1] = ticket;
        ring[at + 2] = frames;
        ring[at + 3] = refusable ? 1 : 0;
    }

    private void grow() {
        long[] larger = new long[2 * ring.length];
        for (int i = 0; i < count; i++) System.arraycopy(ring, at(i), larger, i * FIELDS, FIELDS);
        ring = larger;
        first = 0;
    }

    private int at(int index) {
        return (first + index) * FIELDS % ring.length;
    }

    /** Lets go of what is kept. */
    void release(long kept) {
        while (count > 0 && ring[at(0) + 1] <= kept) removeFirst();
    }

    void removeFirst() {
        first = (first + 1) % (ring.length / FIELDS);
        count--;
    }

    long firstStart() {
        return ring[at(0)];
    }

    long firstFrames() {
        return ring[at(0) + 2];
    }

    boolean isFirstRefusable() {
        return ring[at(0) + 3] != 0;
    }

    void clear() {
        count = 0;
        first = 0;
        if (ring.length > 64 * FIELDS) ring = Arrays.copyOf(ring, 8 * FIELDS);
    }
}
