package tidepool.node;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import tidepool.base.Words;

/**
 * A pool of direct memory blocks for connections. A connection holds a block only while it has bytes in it. The block
 * that was returned last is lent first, so a busy node works in few blocks, and an idle connection has none. The pool
 * also counts the other memory of connections. One thread uses it.
 */
final class BufferPool {
    /** Bytes of a block for a handshake. Unauthenticated connections get no more. */
    static final int SMALL = 4096;

    /** Bytes of a block for reading and answering of authenticated connections. */
    static final int USUAL = 128 << 10;

    private static final int MIN_SHIFT = 12;
    private static final int CLASSES = 31 - MIN_SHIFT;

    /** Limit of the bytes of free blocks. Blocks beyond it are released. */
    private static final long MAX_KEPT_BYTES = 64L << 20;

    /** A block of direct memory, as a buffer for the socket and as a segment for verbs. */
    static final class Block {
        final ByteBuffer bytes;
        final MemorySegment memory;
        private final Arena arena = Arena.ofShared(); // so that a released block is freed at once
        private final int sizeClass;
        private Block next;

        private Block(int sizeClass) {
            this.sizeClass = sizeClass;
            this.memory = arena.allocate(1L << (MIN_SHIFT + sizeClass), Words.BYTES);
            this.bytes = memory.asByteBuffer();
        }

        int size() {
            return bytes.capacity();
        }
    }

    private final Block[] free = new Block[CLASSES];
    private long keptBytes;
    private int lent;
    private final long maxBytes;
    private long lentBytes;
    private long chargedBytes;

    BufferPool() {
        this(Long.MAX_VALUE);
    }

    /** @param maxBytes limit of the bytes that connections hold; free blocks in the pool count too */
    BufferPool(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Lends a block of at least {@code bytes} bytes. */
    Block take(int bytes) {
        int sizeClass = Math.max(0, 32 - MIN_SHIFT - Integer.numberOfLeadingZeros(Math.max(1, bytes) - 1));
        Block block = free[sizeClass];
        if (block == null) {
            makeRoom(1L << (MIN_SHIFT + sizeClass));
            block = new Block(sizeClass);
        } else {
            free[sizeClass] = block.next;
            block.next = null;
            keptBytes -= block.size();
        }
        lent++;
        lentBytes += block.size();
        return block;
    }

    void give(Block block) {
        lent--;
        lentBytes -= block.size();
        if (keptBytes + block.size() > Math.min(MAX_KEPT_BYTES, maxBytes - heldBytes())) {
            block.arena.close();
            return;
        }
        keptBytes += block.size();
        block.next = free[block.sizeClass];
        free[block.sizeClass] = block;
    }

    /** Releases free blocks, the largest first, if they and a new block together would exceed the limit. */
    private void makeRoom(long bytes) {
        for (int i = CLASSES - 1; i >= 0; i--)
            while (free[i] != null && keptBytes > maxBytes - heldBytes() - bytes) {
                Block block = free[i];
                free[i] = block.next;
                keptBytes -= block.size();
                block.arena.close();
            }
    }

    /** Adds to the bytes that connections hold outside of blocks; a negative number subtracts. */
    void charge(long bytes) {
        chargedBytes += bytes;
    }

    /** Returns all bytes that connections hold now. */
    long heldBytes() {
        return lentBytes + chargedBytes;
    }

    /** Returns whether connections hold more than the limit. */
    boolean isOver() {
        return heldBytes() > maxBytes;
    }

    /** Returns the number of blocks that connections hold now. */
    int lent() {
        return lent;
    }

    long lentBytes() {
        return lentBytes;
    }
}
