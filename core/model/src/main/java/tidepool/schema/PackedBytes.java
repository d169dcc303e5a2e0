package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The bytes of a long list as they are written: elements one after the other, with the bytes that each needs. */
final class PackedBytes {
    private static final int FIRST = 256;

    private byte[] bytes = new byte[FIRST];
    private MemorySegment memory = MemorySegment.ofArray(bytes);
    private int length;

    int length() {
        return length;
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    /** Returns the memory, which the next call of {@link #reserve} may replace. */
    MemorySegment memory() {
        return memory;
    }

    /** Makes room for some bytes, which are zeros, and returns where they begin. */
    int reserve(int count) {
        if ((long) length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
            memory = MemorySegment.ofArray(bytes);
        }
        length += count;
        return length - count;
    }

    /** Takes back bytes that were reserved last and are not used. */
    void giveBack(int count) {
        length -= count;
        Arrays.fill(bytes, length, length + count, (byte) 0);
    }

    void putInt(int value) {
        long at = reserve(Integer.BYTES);
        Unaligned.putInt(memory, at, value);
    }

    void putByte(int value) {
        long at = reserve(1);
        Unaligned.putByte(memory, at, value);
    }

    void put(byte[] source, int count) {
        int at = reserve(count);
        System.arraycopy(source, 0, bytes, at, count);
    }
}
