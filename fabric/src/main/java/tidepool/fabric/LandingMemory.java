package tidepool.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.base.Checks;

/**
 * Where the lanes of a session land: pieces of blocks that they share, because every access asks whether its block is still
 * there, and a block for each lane would be one more thing to have at hand. A block is freed when nobody refers to any
 * piece of it. For any number of threads, and nobody waits for another.
 */
final class LandingMemory {
    /** Pieces start on a cache line of their own. */
    private static final long ALIGNMENT = 64;

    /** The first block; the next ones are twice as long, up to the most. */
    private static final long FIRST_BYTES = 4096;

    private static final long MOST_BYTES = 256 * 1024;

    private final AtomicReference<Block> current = new AtomicReference<>(new Block(0));

    LandingMemory() {}

    /** Zeroed memory; what is long gets a block of its own. */
    MemorySegment piece(long bytes) {
        Checks.argument(bytes >= 0, "no memory has a negative length: bytes=" + bytes);
        if (bytes > MOST_BYTES / 4) return Arena.ofAuto().allocate(bytes, ALIGNMENT);
        while (true) {
            Block block = current.get();
            MemorySegment piece = block.take(bytes);
            if (piece != null) return piece;
            current.compareAndSet(block, block.next()); // or somebody else was first
        }
    }

    private static final class Block {
        private final MemorySegment memory;
        private final AtomicLong used = new AtomicLong();

        Block(long bytes) {
            memory = bytes == 0 ? MemorySegment.NULL : Arena.ofAuto().allocate(bytes, ALIGNMENT);
        }

        /** Null when it is full; what was left is lost, because the next block takes its place. */
        MemorySegment take(long bytes) {
            long room = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
            long at = used.getAndAdd(room);
            return at + room <= memory.byteSize() ? memory.asSlice(at, bytes) : null;
        }

        Block next() {
            return new Block(Math.clamp(2 * memory.byteSize(), FIRST_BYTES, MOST_BYTES));
        }
    }
}
