package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little-endian numbers at any offset: the content of attributes that may be null, and elements of lists. */
final class Unaligned {
    static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfChar UTF16 = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Unaligned() {}

    static long getLong(MemorySegment memory, long at) {
        return memory.get(I64, at);
    }

    static void putLong(MemorySegment memory, long at, long value) {
        memory.set(I64, at, value);
    }

    static int getInt(MemorySegment memory, long at) {
        return memory.get(I32, at);
    }

    static void putInt(MemorySegment memory, long at, int value) {
        memory.set(I32, at, value);
    }

    /** Reads the count of bytes or elements with which a content of varying length begins. */
    static int getCount(MemorySegment memory, long at) {
        return memory.get(I16, at) & 0xffff;
    }

    static void putCount(MemorySegment memory, long at, int count) {
        memory.set(I16, at, (short) count);
    }

    static int getByte(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    }

    static void putByte(MemorySegment memory, long at, int value) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    static void clear(MemorySegment memory, long at, long bytes) {
        for (long each = at; each < at + bytes; each++) putByte(memory, each, 0);
    }
}
