package tidepool.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.base.Checks;

/**
 * The landing memory of a session's lanes: pieces of shared blocks. Every access checks that its block is still
 * allocated. A separate block for each lane would be one more object that this check needs in the cache. A block is
 * freed when no piece of it is referenced. Any number of threads may use it, and none waits for another.
 */
final class LandingMemory {
    /** Each piece starts on a new cache line. */
    private static final long ALIGNMENT = 64;

    /** The size of the first block. Each further block is twice as long as the last, up to the maximum. */
    private static final long FIRST_BYTES = 4096;

    private static final long MAX_BYTES = 256 * 1024;

    private final AtomicReference<Block> current = new AtomicReference<>(new Block(0));

    LandingMemory() {}

    /** Returns zeroed memory. A long piece gets a block of its own. */
    MemorySegment piece(long bytes) {
        Checks.argument(bytes >= 0, "no memory has a negative length: bytes=" + bytes);
        if (bytes > MAX_BYTES / 4) return Arena.ofAuto().allocate(bytes, ALIGNMENT);
        while (true) {
            Block block = current.get();
            MemorySegment piece = block.take(bytes);
            if (piece != null) return piece;
            current.compareAndSet(block, block.next()); // fails if another thread was first
        }
    }

    private static final class Block {
        private final MemorySegment memory;
        private final AtomicLong used = new AtomicLong();

        Block(long bytes) {
            memory = bytes == 0 ? MemorySegment.NULL : Arena.ofAuto().allocate(bytes, ALIGNMENT);
        }

        /** Returns null if the block is full. The rest of it is then lost, because the next block replaces it. */
        MemorySegment take(long bytes) {
            long room = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
            long at = used.getAndAdd(room);
            return at + room <= memory.byteSize() ? memory.asSlice(at, bytes) : null;
        }

        Block next() {
            return new Block(Math.clamp(2 * memory.byteSize(), FIRST_BYTES, MAX_BYTES));
        }
    }
}
