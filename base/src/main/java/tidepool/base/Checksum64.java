package tidepool.base;

import java.lang.foreign.MemorySegment;

/** A 64-bit checksum over words of memory. */
public final class Checksum64 {
    private Checksum64() {}

    public static long of(MemorySegment memory, long offset, long length, long seed) {
        long h = seed ^ length;
        for (long i = 0; i < length; i += Words.BYTES) h = mix(h, Words.plain(memory, offset + i));
        return finish(h);
    }

    public static long mix(long h, long word) {
        return Long.rotateLeft((h ^ word) * 0x9E3779B97F4A7C15L, 29);
    }

    public static long finish(long h) {
        h = (h ^ (h >>> 32)) * 0xD6E8FEB86659FD93L;
        return h ^ (h >>> 32);
    }
}
