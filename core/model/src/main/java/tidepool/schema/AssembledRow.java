package tidepool.schema;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Words;

/**
 * A row with long attributes in memory of its own, together with the contents that lie in parts, so that a
 * {@link RecordCodec} can decode it. Used for one row after the other, by one thread at a time.
 */
public final class AssembledRow {
    private static final long LEAST = 4096;

    private final Schema schema;
    private final long[] places;
    private MemorySegment memory = MemorySegment.NULL;

    public AssembledRow(Schema schema) {
        this.schema = schema;
        this.places = new long[schema.contents().size()];
    }

    /** Returns whether it is for rows of this very schema. */
    public boolean isOf(Schema other) {
        return schema == other;
    }

    /**
     * Copies a row with those of its contents that lie in the same memory, and makes room for those that lie in parts.
     */
    public void begin(MemorySegment from, long offset) {
        long end = schema.length();
        for (int i = 0; i < places.length; i++) {
            ContentField field = schema.contents().get(i);
            places[i] = -1;
            if (field.isInParts(from, offset)) places[i] = end;
            end += ContentField.bytesElsewhere(field.length(from, offset));
        }
        if (memory.byteSize() < end)
            memory = Arena.ofAuto().allocate(Math.max(LEAST, Long.highestOneBit(end) << 1), Words.BYTES);
        MemorySegment.copy(from, Words.U64, offset, memory, Words.U64, 0, schema.length() / Words.BYTES);
        long place = schema.length();
        for (int i = 0; i < places.length; i++) {
            ContentField field = schema.contents().get(i);
            int length = field.length(from, offset);
            if (length <= ContentField.MAX_IN_SLOT) continue;
            if (places[i] < 0) MemorySegment.copy(from, field.place(from, offset), memory, place, length);
            field.placeInMemory(memory, 0, place);
            place += ContentField.bytesElsewhere(length);
        }
    }

    /**
     * Returns where in {@link #memory} the content of the i-th field of {@link Schema#contents} goes that lies in
     * parts; -1 if it does not.
     */
    public long place(int i) {
        return places[i];
    }

    /** Returns the memory: the row begins at 0. Valid until the next row. */
    public MemorySegment memory() {
        return memory;
    }
}
