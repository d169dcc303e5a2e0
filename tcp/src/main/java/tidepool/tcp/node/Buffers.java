package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Lends direct memory to connections for as long as they have something in it. What came back last is lent first, so a
 * busy node works in the same few blocks, and a connection that is idle has none. One thread uses it.
 */
final class Buffers {
    /** Enough for a handshake: strangers get no more. */
    static final int SMALL = 4096;

    /** What is read or answered at once. */
    static final int USUAL = 128 << 10;

    private static final int LEAST_SHIFT = 12;
    private static final int CLASSES = 31 - LEAST_SHIFT;

    /** Blocks that are kept for later, in bytes; more is left to the garbage collector. */
    private static final long MOST_KEPT_BYTES = 64L << 20;

    /** A piece of direct memory, as the socket and as the verbs see it. */
    static final class Block {
        final ByteBuffer bytes;
        final MemorySegment memory;
        private final int sizeClass;
        private Block next;

        private Block(int sizeClass) {
            this.sizeClass = sizeClass;
            this.bytes = ByteBuffer.allocateDirect(1 << (LEAST_SHIFT + sizeClass));
            this.memory = MemorySegment.ofBuffer(bytes);
        }

        int size() {
            return bytes.capacity();
        }
    }

    private final Block[] free = new Block[CLASSES];
    private long keptBytes;
    private int lent;
    private long lentBytes;

    /** A block of at least so many bytes. */
    Block take(int bytes) {
        int sizeClass = Math.max(0, 32 - LEAST_SHIFT - Integer.numberOfLeadingZeros(Math.max(1, bytes) - 1));
        Block block = free[sizeClass];
        if (block == null) {
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
        if (keptBytes + block.size() > MOST_KEPT_BYTES) return;
        keptBytes += block.size();
        block.next = free[block.sizeClass];
        free[block.sizeClass] = block;
    }

    /** Blocks that connections hold now. */
    int lent() {
        return lent;
    }

    long lentBytes() {
        return lentBytes;
    }
}
