package tidepool.base;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Access to little-endian words of memory. Only aligned 8-byte words can be read, written and swapped atomically, here
 * and on every fabric. So shared memory is accessed through these methods alone; the memory order is in the name.
 *
 * <p>Segments must be native or mapped: a {@code byte[]} is not aligned to eight bytes and refuses these layouts.
 */
public final class Words {
    /** Bytes of a word. */
    public static final int BYTES = 8;

    public static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle WORD = U64.varHandle();

    private Words() {}

    /** Reads a word without order towards other words; for memory that only this thread writes. */
    public static long plain(MemorySegment memory, long offset) {
        return memory.get(U64, offset);
    }

    /** Writes a word without order towards other words; for memory that no other thread reads yet. */
    public static void plain(MemorySegment memory, long offset, long value) {
        memory.set(U64, offset, value);
    }

    /** Reads a word atomically, without order towards other words. */
    public static long opaque(MemorySegment memory, long offset) {
        return (long) WORD.getOpaque(memory, offset);
    }

    /** Writes a word atomically, without order towards other words. */
    public static void opaque(MemorySegment memory, long offset, long value) {
        WORD.setOpaque(memory, offset, value);
    }

    /** Reads a word; all later reads and writes happen after it. */
    public static long acquire(MemorySegment memory, long offset) {
        return (long) WORD.getAcquire(memory, offset);
    }

    /** Writes a word; all earlier reads and writes happen before it. */
    public static void release(MemorySegment memory, long offset, long value) {
        WORD.setRelease(memory, offset, value);
    }

    /** Reads a word in the one order that all volatile accesses share. */
    public static long volatileGet(MemorySegment memory, long offset) {
        return (long) WORD.getVolatile(memory, offset);
    }

    /** Writes a word in the one order that all volatile accesses share. */
    public static void volatileSet(MemorySegment memory, long offset, long value) {
        WORD.setVolatile(memory, offset, value);
    }

    /** Swaps the word if it holds {@code expected}. Returns the previous value. Ordered like a volatile access. */
    public static long compareAndSwap(MemorySegment memory, long offset, long expected, long desired) {
        return (long) WORD.compareAndExchange(memory, offset, expected, desired);
    }

    /** Adds to the word. Returns the previous value. Ordered like a volatile access. */
    public static long fetchAndAdd(MemorySegment memory, long offset, long delta) {
        return (long) WORD.getAndAdd(memory, offset, delta);
    }

    /** Returns true for an offset or length that is a multiple of a word. */
    public static boolean isAligned(long value) {
        return (value & (BYTES - 1)) == 0;
    }
}
