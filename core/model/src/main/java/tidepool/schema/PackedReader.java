package tidepool.schema;

import java.lang.foreign.MemorySegment;

/** A place in the bytes of a long list, which {@link PackedBytes} has written. Refuses to leave them. */
final class PackedReader {
    private final MemorySegment memory;
    private final long end;
    private final String name; // of the attribute, for messages
    private long at;

    PackedReader(MemorySegment memory, long from, int length, String name) {
        this.memory = memory;
        this.at = from;
        this.end = from + length;
        this.name = name;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Skips some bytes, and returns where they begin. */
    long skip(long count) {
        require(count);
        at += count;
        return at - count;
    }

    /** Reads a count of bytes or elements. */
    int count(int most) {
        int count = Unaligned.getInt(memory, skip(Integer.BYTES));
        if (count < 0 || count > most) throw LeafForm.damaged(name, "a count of " + count + ", above " + most + ",");
        return count;
    }

    /** Refuses a list that is shorter than {@code count} bytes from here on. */
    void require(long count) {
        if (count > end - at) throw LeafForm.damaged(name, "a list that ends too early");
    }

    int nextByte() {
        return Unaligned.getByte(memory, skip(1));
    }

    /** Refuses bytes after the last element. */
    void requireEnd() {
        if (at != end) throw LeafForm.damaged(name, "bytes after the end of its list");
    }
}
