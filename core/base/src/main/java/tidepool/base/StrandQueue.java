package tidepool.base;

/** A FIFO queue of strands: a ring that only grows. */
final class StrandQueue {
    private Strand[] ring = new Strand[64]; // a power of two
    private int head;
    private int count;

    int count() {
        return count;
    }

    void add(Strand strand) {
        if (count == ring.length) grow();
        ring[(head + count++) & (ring.length - 1)] = strand;
    }

    Strand take() {
        Strand strand = ring[head];
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        count--;
        return strand;
    }

    private void grow() {
        Strand[] larger = new Strand[2 * count];
        for (int i = 0; i < count; i++) larger[i] = ring[(head + i) & (ring.length - 1)];
        ring = larger;
        head = 0;
    }
}
