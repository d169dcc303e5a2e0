package tidepool.sim;

import java.util.Arrays;

/** A FIFO queue of the cores whose next turn is due now. */
final class CoreQueue {
    private Core[] ring = new Core[16];
    private int head;
    private int count;

    void add(Core core) {
        if (count == ring.length) grow();
        ring[(head + count++) & (ring.length - 1)] = core;
    }

    /** Removes and returns the next core; null if there is none. */
    Core take() {
        if (count == 0) return null;
        Core core = ring[head];
        head = (head + 1) & (ring.length - 1);
        count--;
        return core;
    }

    private void grow() {
        Core[] larger = Arrays.copyOf(ring, 2 * count);
        for (int i = 0; i < count; i++) larger[i] = ring[(head + i) & (count - 1)];
        ring = larger;
        head = 0;
    }
}
