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

    /** Copies a row, and makes room for those of its contents that lie in parts. */
    public void begin(MemorySegment from, long offset) {
        long end = schema.length();
        for (int i = 0; i < places.length; i++) {
            ContentField field = schema.contents().get(i);
            places[i] = -1;
            if (!field.isInParts(from, offset)) continue;
            places[i] = end;
            end += field.length(from, offset) + Words.BYTES - 1 & -Words.BYTES;
        }
        if (memory.byteSize() < end)
            memory = Arena.ofAuto().allocate(Math.max(LEAST, Long.highestOneBit(end) << 1), Words.BYTES);
        MemorySegment.copy(from, Words.U64, offset, memory, Words.U64, 0, schema.length() / Words.BYTES);
        for (int i = 0; i < places.length; i++)
            if (places[i] >= 0) schema.contents().get(i).placeInMemory(memory, 0, places[i]);
    }

    /** Returns where in {@link #memory} the content of the i-th field of {@link Schema#contents} goes; -1 if none. */
    public long place(int i) {
        return places[i];
    }

    /** Returns the memory: the row begins at 0. Valid until the next row. */
    public MemorySegment memory() {
        return memory;
    }
}
