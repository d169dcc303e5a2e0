package tidepool.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;

/**
 * Where the lanes of a session land: pieces of blocks that they share, because every access asks whether its block is still
 * there, and a block for each lane would be one more thing to have at hand. A block is freed when nobody refers to any
 * piece of it.
 */
final class LandingMemory {
    /** Pieces start on a cache line of their own. */
    private static final long ALIGNMENT = 64;

    /** The first block; the next ones are twice as long, up to the most. */
    private static final long FIRST_BYTES = 4096;

    private static final long MOST_BYTES = 256 * 1024;

    private MemorySegment block = MemorySegment.NULL;
    private long nextBytes = FIRST_BYTES;
    private long used;

    /** Zeroed memory; what is long gets a block of its own. */
    synchronized MemorySegment piece(long bytes) {
        Checks.argument(bytes >= 0, "no memory has a negative length: bytes=" + bytes);
        long room = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
        if (room > MOST_BYTES / 4) return Arena.ofAuto().allocate(bytes, ALIGNMENT);
        while (room > block.byteSize() - used) {
            block = Arena.ofAuto().allocate(nextBytes, ALIGNMENT);
            used = 0;
            nextBytes = Math.min(MOST_BYTES, 2 * nextBytes);
        }
        MemorySegment piece = block.asSlice(used, bytes);
        used += room;
        return piece;
    }
}
