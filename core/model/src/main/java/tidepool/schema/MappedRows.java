package tidepool.schema;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.base.Words;

/** The rows of a table by a record class of another version of its schema: encoded by the class, then mapped. */
final class MappedRows<T extends Record> {
    private final RecordCodec<T> own;
    private final Schema here;
    private final Schema stored;
    private final RowMapping to;
    private final RowMapping from;
    private final long kept;
    private final List<Attribute> dropped; // attributes of the class that the table had once
    private final byte[] droppedRow; // a value of the class, with what these must have
    private final AtomicReference<MemorySegment> spare = new AtomicReference<>();

    /** The accepted schemas were compared before. */
    MappedRows(RecordCodec<T> own, Schema stored) {
        this.own = own;
        this.here = own.schema();
        this.stored = stored;
        this.to = RowMapping.toTable(here, stored);
        this.from = RowMapping.fromTable(here, stored);
        this.kept = RowMapping.kept(here, stored);
        this.dropped = RowMapping.dropped(here, stored);
        this.droppedRow = new byte[here.length()];
        for (Attribute each : dropped)
            DefaultText.write(each, stored.droppedDefault(each.name()), MemorySegment.ofArray(droppedRow), 0);
    }

    /** Refuses to make rows without a value of an attribute that has no default. */
    void requireWhole() {
        for (Attribute each : stored.attributes())
            if ((kept >>> each.number() & 1) != 0 && !stored.hasDefault(each))
                throw new IllegalArgumentException("record " + own.type().getName() + " makes no new rows, because it"
                        + " lacks attribute '" + each.name() + "', which has no default; stored=" + stored + " here="
                        + here);
    }

    RowImage image(T record) {
        byte[] row;
        byte[][] contents = new byte[stored.contents().size()][];
        MemorySegment value = take();
        try {
            if (own.longs().isEmpty()) {
                own.encode(record, value, 0);
            } else {
                RowImage image = own.image(record);
                MemorySegment.copy(image.row(), 0, value, ValueLayout.JAVA_BYTE, 0, here.length());
                for (int i = 0; i < here.contents().size(); i++) {
                    String name = here.contents().get(i).attribute().name();
                    if (image.content(i) != null) contents[indexOf(name)] = image.content(i);
                }
            }
            for (Attribute each : dropped) requireDropped(each, value);
            row = new byte[Math.toIntExact(to.bytes(value, 0))];
            to.convert(value, 0, MemorySegment.ofArray(row), 0);
        } finally {
            spare.set(value);
        }
        takeContents(row, contents);
        return new RowImage(stored, Arrays.copyOf(row, stored.length()), contents, kept);
    }

    /** Takes the contents that have room in the row of the class, and may lie in parts in the table. */
    private void takeContents(byte[] row, byte[][] contents) {
        MemorySegment memory = MemorySegment.ofArray(row);
        for (int i = 0; i < contents.length; i++) {
            ContentField field = stored.contents().get(i);
            if (!field.isInMemory(memory, 0)) continue;
            contents[i] = field.bytes(memory, 0);
            field.refer(memory, 0, 0, 0);
        }
    }

    private int indexOf(String name) {
        for (int i = 0; i < stored.contents().size(); i++)
            if (stored.contents().get(i).attribute().name().equals(name)) return i;
        throw new IllegalArgumentException("attribute '" + name + "' was dropped, and has content in parts");
    }

    private void requireDropped(Attribute each, MemorySegment value) {
        long end = each.offset() + (long) each.bytes();
        if (MemorySegment.mismatch(value, each.offset(), end, MemorySegment.ofArray(droppedRow), each.offset(), end)
                < 0) return;
        throw new IllegalArgumentException("attribute '" + each.name() + "' was dropped, so a record has '"
                + stored.droppedDefault(each.name()) + "' there and nothing else; stored=" + stored + " here=" + here);
    }

    T decode(long key, MemorySegment memory, long offset) {
        MemorySegment value = takeFor(memory);
        try {
            long at = place(memory);
            from.convert(memory, offset, value, at);
            return own.decode(key, value, at);
        } finally {
            give(value);
        }
    }

    T decode(RowKey key, MemorySegment memory, long offset) {
        MemorySegment value = takeFor(memory);
        try {
            long at = place(memory);
            from.convert(memory, offset, value, at);
            return own.decode(key, value, at);
        } finally {
            give(value);
        }
    }

    /** Long contents lie in the memory of their row, at places that count from its beginning. So they are copied. */
    private MemorySegment takeFor(MemorySegment memory) {
        if (stored.contents().isEmpty()) return take();
        MemorySegment all = Arena.ofAuto().allocate(place(memory) + here.length(), Words.BYTES);
        MemorySegment.copy(memory, 0, all, 0, memory.byteSize());
        return all;
    }

    private long place(MemorySegment memory) {
        return stored.contents().isEmpty() ? 0 : memory.byteSize() + Words.BYTES - 1 & -Words.BYTES;
    }

    private void give(MemorySegment value) {
        if (stored.contents().isEmpty()) spare.set(value);
    }

    private MemorySegment take() {
        MemorySegment value = spare.getAndSet(null);
        return value != null ? value : Arena.ofAuto().allocate(here.length(), Words.BYTES);
    }
}
