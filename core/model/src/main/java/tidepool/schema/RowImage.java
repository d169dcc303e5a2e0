package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Checksum64;
import tidepool.base.Words;

/**
 * The value of a record with long attributes: the bytes of the row, and the contents that do not fit their slots. Made
 * by {@link RecordCodec#image}. A layer above the codec writes the contents as parts, tells the slots where they are,
 * and copies the row to its place.
 */
public final class RowImage {
    private final Schema schema;
    private final byte[] row;
    private final byte[][] contents; // of the fields of schema.contents(); null for what lies in its slot
    private final long kept; // the attributes of which an existing row keeps its own, a bit for each number

    RowImage(Schema schema, byte[] row, byte[][] contents) {
        this(schema, row, contents, 0);
    }

    RowImage(Schema schema, byte[] row, byte[][] contents, long kept) {
        this.schema = schema;
        this.row = row;
        this.contents = contents;
        this.kept = kept;
    }

    byte[] row() {
        return row;
    }

    /** Returns whether an existing row keeps what it has of the i-th field of {@link Schema#contents}. */
    public boolean keeps(int i) {
        return (kept >>> schema.contents().get(i).attribute().number() & 1) != 0;
    }

    /** Returns the content of the i-th field of {@link Schema#contents}, if it lies in parts; otherwise null. */
    public byte[] content(int i) {
        return contents[i];
    }

    /** Tells the slot of the i-th field where the parts of its content are. */
    public void refer(int i, long writer, int firstPart) {
        schema.contents().get(i).refer(MemorySegment.ofArray(row), 0, writer, firstPart);
    }

    /** Returns how many bytes lie in parts. */
    public long contentBytes() {
        long bytes = 0;
        for (byte[] each : contents) if (each != null) bytes += each.length;
        return bytes;
    }

    /** Returns the state of a checksum after the row and its contents, which must not be told yet where parts are. */
    public long checksum(long before) {
        long sum = checksum(before, row);
        for (byte[] each : contents) if (each != null) sum = checksum(sum, each);
        return sum;
    }

    private static long checksum(long before, byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        long sum = before;
        int at = 0;
        for (; at + Words.BYTES <= bytes.length; at += Words.BYTES)
            sum = Checksum64.mix(sum, Unaligned.getLong(memory, at));
        long last = 0;
        for (int shift = 0; at < bytes.length; at++, shift += Byte.SIZE) last |= (bytes[at] & 0xffL) << shift;
        return bytes.length % Words.BYTES == 0 ? sum : Checksum64.mix(sum, last);
    }

    /** Returns the writer of the parts of the i-th field, as it was told; 0 before that. */
    public long writer(int i) {
        return schema.contents().get(i).writer(MemorySegment.ofArray(row), 0);
    }

    /** Returns the first part of the i-th field, as it was told. */
    public int firstPart(int i) {
        return schema.contents().get(i).firstPart(MemorySegment.ofArray(row), 0);
    }

    /** Writes the row to its place, as that of a new row. */
    public void copyTo(MemorySegment memory, long offset) {
        MemorySegment.copy(row, 0, memory, ValueLayout.JAVA_BYTE, offset, row.length);
    }

    /** Writes the row over an existing one, which keeps the attributes that the record class lacks. */
    public void copyOver(MemorySegment memory, long offset) {
        if (kept == 0) {
            copyTo(memory, offset);
            return;
        }
        for (Attribute each : schema.attributes()) {
            if ((kept >>> each.number() & 1) != 0) continue;
            long at = offset + each.offset();
            MemorySegment.copy(row, each.offset(), memory, ValueLayout.JAVA_BYTE, at, each.bytes());
        }
    }
}
