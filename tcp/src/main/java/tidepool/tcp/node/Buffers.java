package tidepool.tcp.node;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import tidepool.base.Words;

/**
 * Lends direct memory to connections for as long as they have something in it. What came back last is lent first, so a
 * busy node works in the same few blocks, and a connection that is idle has none. What else connections hold is counted
 * here, too. One thread uses it.
 */
final class Buffers {
    /** Enough for a handshake: strangers get no more. */
    static final int SMALL = 4096;

    /** What is read or answered at once. */
    static final int USUAL = 128 << 10;

    private static final int LEAST_SHIFT = 12;
    private static final int CLASSES = 31 - LEAST_SHIFT;

    /** Blocks that are kept for later, in bytes; more is given back. */
    private static final long MOST_KEPT_BYTES = 64L << 20;

    /** A piece of direct memory, as the socket and as the verbs see it. */
    static final class Block {
        final ByteBuffer bytes;
        final MemorySegment memory;
        private final Arena arena = Arena.ofShared(); // so that memory that is given back is free at once
        private final int sizeClass;
        private Block next;

        private Block(int sizeClass) {
            this.sizeClass = sizeClass;
            this.memory = arena.allocate(1L << (LEAST_SHIFT + sizeClass), Words.BYTES);
            this.bytes = memory.asByteBuffer();
        }

        int size() {
            return bytes.capacity();
        }
    }

    private final Block[] free = new Block[CLASSES];
    private long keptBytes;
    private int lent;
    private final long mostBytes;
    private long lentBytes;
    private long chargedBytes;

    Buffers() {
        this(Long.MAX_VALUE);
    }

    /** @param mostBytes what connections may hold; blocks that are kept for later are part of it */
    Buffers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** A block of at least so many bytes. */
    Block take(int bytes) {
        int sizeClass = Math.max(0, 32 - LEAST_SHIFT - Integer.numberOfLeadingZeros(Math.max(1, bytes) - 1));
        Block block = free[sizeClass];
        if (block == null) {
            makeRoom(1L << (LEAST_SHIFT + sizeClass));
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
        if (keptBytes + block.size() > Math.min(MOST_KEPT_BYTES, mostBytes - heldBytes())) {
            block.arena.close();
            return;
        }
        keptBytes += block.size();
        block.next = free[block.sizeClass];
        free[block.sizeClass] = block;
    }

    /** Gives back kept blocks, the largest first, if a new one would be too much beside them. */
    private void makeRoom(long bytes) {
        for (int i = CLASSES - 1; i >= 0; i--)
            while (free[i] != null && keptBytes > mostBytes - heldBytes() - bytes) {
                Block block = free[i];
                free[i] = block.next;
                keptBytes -= block.size();
                block.arena.close();
            }
    }

    /** A connection holds so many more bytes that are no blocks; fewer if negative. */
    void charge(long bytes) {
        chargedBytes += bytes;
    }

    /** All that connections hold now. */
    long heldBytes() {
        return lentBytes + chargedBytes;
    }

    /** Whether that is more than they may. */
    boolean isOver() {
        return heldBytes() > mostBytes;
    }

    /** Blocks that connections hold now. */
    int lent() {
        return lent;
    }

    long lentBytes() {
        return lentBytes;
    }
}
