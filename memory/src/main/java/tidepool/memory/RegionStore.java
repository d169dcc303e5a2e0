package tidepool.memory;

import java.lang.foreign.MemorySegment;

/** Where the bytes of a memory node come from: memory of this process, mapped files, or the simulator's arena. */
public interface RegionStore {
    /** The node's own page(s), {@link NodeLayout#BYTES} long; the same memory at every call. */
    MemorySegment meta();

    /**
     * Makes the memory of a new region: exactly {@code bytes}, zeroed, with its space really there. Replaces what a
     * creator that crashed may have left under this number.
     */
    MemorySegment create(int number, long bytes);

    /** The memory of a region that exists, made by this process or another. Throws if it is not there. */
    MemorySegment open(int number, long bytes);

    /**
     * Gives the memory of a region back. Those who still have it open keep it until they let go. Does nothing if it is
     * not there, so that deleting can be repeated after a crash.
     */
    void delete(int number);

    /** Whether nothing of a deleted region is left or will be deleted later, so that its number may be used again. */
    default boolean isReusable(int number) {
        return true;
    }
}
