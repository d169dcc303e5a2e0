package tidepool.workload.measured;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Bytes that hold the number of their writes. The other bytes are computed from that count and from their owner. So a
 * lost write shows in the sum of the counts, and a value that is torn, partly stale or of another owner is detected by
 * itself.
 *
 * <pre>
 *    16 bytes or more:  count (8) | words computed from owner, count and place … | one more, overlapping
 *    8 bytes:           count (4) | check (4)
 * </pre>
 */
public final class StampedBytes {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final long LOW = 0xffff_ffffL;

    private StampedBytes() {}

    /** Returns whether this number of bytes can be stamped. */
    public static boolean fits(int bytes) {
        return bytes == 8 || bytes >= 16;
    }

    /** Writes {@code bytes} bytes: those of {@code owner} after {@code count} writes. */
    public static void write(MemorySegment memory, long at, int bytes, long owner, long count) {
        if (bytes == 8) {
            memory.set(WORD, at, packed(owner, count));
            return;
        }
        memory.set(WORD, at, count);
        long end = at + bytes;
        long h = start(owner, count);
        long next = at + 8;
        for (; next + 8 <= end; next += 8) {
            h += STEP;
            memory.set(WORD, next, mix(h));
        }
        if (next < end)
            memory.set(WORD, end - 8, mix(h + STEP)); // overlaps the word before it, and ends with the value
    }

    /** Returns how often the bytes were written. */
    public static long count(MemorySegment memory, long at, int bytes) {
        long first = memory.get(WORD, at);
        return bytes == 8 ? first & LOW : first;
    }

    /** Returns whether the first and the last word belong together. Cheap enough for every read of a run. */
    public static boolean endsMatch(MemorySegment memory, long at, int bytes, long owner) {
        long count = count(memory, at, bytes);
        if (bytes == 8) return memory.get(WORD, at) == packed(owner, count);
        int words = (bytes - 1) / 8; // after the first, the overlapping one included
        return memory.get(WORD, at + bytes - 8) == mix(start(owner, count) + words * STEP);
    }

    /** Returns whether all bytes are as they were written for this owner. */
    public static boolean isWhole(MemorySegment memory, long at, int bytes, long owner) {
        if (!endsMatch(memory, at, bytes, owner)) return false;
        if (bytes == 8) return true;
        long h = start(owner, count(memory, at, bytes));
        int tail = bytes % 8; // the bytes of the last full word that were not overwritten
        for (long next = at + 8; next + 8 <= at + bytes; next += 8) {
            h += STEP;
            long differs = memory.get(WORD, next) ^ mix(h);
            boolean overlapped = tail != 0 && next + 16 > at + bytes;
            if ((overlapped ? differs << 8 * (8 - tail) : differs) != 0) return false;
        }
        return true;
    }

    private static long packed(long owner, long count) {
        return mix(start(owner, count & LOW)) << 32 | count & LOW;
    }

    private static long start(long owner, long count) {
        return mix(owner * STEP + 1) ^ count * 0xd1342543de82ef95L;
    }

    private static long mix(long z) {
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
