package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;

/**
 * Atomics on some bits of a word. Processors have none, so each is a loop around CAS. The loop ends when no other
 * thread has changed the word since it was read. It is atomic towards every other atomic on that word.
 */
public final class Atomics {
    private Atomics() {}

    /**
     * If the word equals {@code expected} in the bits of {@code compareMask}, replaces the bits of {@code swapMask} by
     * those of {@code desired}. Returns the whole word found.
     */
    public static long maskedCompareAndSwap(
            MemorySegment memory, long offset, long expected, long compareMask, long desired, long swapMask) {
        long found = Words.volatileGet(memory, offset);
        while (((found ^ expected) & compareMask) == 0) {
            long replacement = (found & ~swapMask) | (desired & swapMask);
            long now = Words.compareAndSwap(memory, offset, found, replacement);
            if (now == found) return found;
            found = now;
        }
        return found;
    }

    /**
     * Adds to each field of the word separately. {@code fieldTops} has the top bit of every field set, and no carry
     * passes such a bit. 0 means one field of 64 bits. Returns the whole word found.
     */
    public static long maskedFetchAndAdd(MemorySegment memory, long offset, long delta, long fieldTops) {
        if (fieldTops == 0) return Words.fetchAndAdd(memory, offset, delta);
        long found = Words.volatileGet(memory, offset);
        while (true) {
            long now = Words.compareAndSwap(memory, offset, found, sumOfFields(found, delta, fieldTops));
            if (now == found) return found;
            found = now;
        }
    }

    /**
     * Returns the sums of all fields. Without their top bits the fields cannot carry into each other. A top bit is the
     * sum of three bits, so XOR.
     */
    static long sumOfFields(long word, long delta, long fieldTops) {
        return ((word & ~fieldTops) + (delta & ~fieldTops)) ^ ((word ^ delta) & fieldTops);
    }
}
