package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The value of a record with long attributes: the bytes of the row, and the contents that do not fit their slots. Made
 * by {@link RecordCodec#image}. A layer above the codec writes the contents as parts, tells the slots where they are,
 * and copies the row to its place.
 */
public final class RowImage {
    private final Schema schema;
    private final byte[] row;
    private final byte[][] contents; // of the fields of schema.contents(); null for what lies in its slot

    RowImage(Schema schema, byte[] row, byte[][] contents) {
        this.schema = schema;
        this.row = row;
        this.contents = contents;
    }

    /** Returns the content of the i-th field of {@link Schema#contents}, if it lies in parts; otherwise null. */
    public byte[] content(int i) {
        return contents[i];
    }

    /** Tells the slot of the i-th field where the parts of its content are. */
    public void refer(int i, long writer, int firstPart) {
        schema.contents().get(i).refer(MemorySegment.ofArray(row), 0, writer, firstPart);
    }

    /** Returns the writer of the parts of the i-th field, as it was told; 0 before that. */
    public long writer(int i) {
        return schema.contents().get(i).writer(MemorySegment.ofArray(row), 0);
    }

    /** Returns the first part of the i-th field, as it was told. */
    public int firstPart(int i) {
        return schema.contents().get(i).firstPart(MemorySegment.ofArray(row), 0);
    }

    /** Writes the row to its place. */
    public void copyTo(MemorySegment memory, long offset) {
        MemorySegment.copy(row, 0, memory, ValueLayout.JAVA_BYTE, offset, row.length);
    }
}
