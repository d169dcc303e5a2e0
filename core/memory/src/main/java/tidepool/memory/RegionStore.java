package tidepool.memory;

import java.lang.foreign.MemorySegment;

/** The source of a memory node's bytes: memory of this process, mapped files, or the simulator's arena. */
public interface RegionStore {
    /** Returns the node's own page(s), {@link NodeLayout#BYTES} long. Every call returns the same memory. */
    MemorySegment meta();

    /**
     * Creates the memory of a new region: exactly {@code bytes}, zeroed, with its space reserved. Replaces memory that
     * a crashed creator may have left under this number.
     */
    MemorySegment create(int number, long bytes);

    /** Returns the memory of an existing region, created by this process or another. Throws if it is missing. */
    MemorySegment open(int number, long bytes);

    /**
     * Gives the memory of a region back. Processes that still have it open keep it until they close it. Does nothing if
     * it is missing, so that a delete can be repeated after a crash.
     */
    void delete(int number);

    /**
     * Returns whether no memory of a deleted region is left or waits for deletion, so that its number may be reused.
     */
    default boolean isReusable(int number) {
        return true;
    }
}
