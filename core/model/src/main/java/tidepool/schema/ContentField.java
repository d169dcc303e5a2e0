package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import tidepool.base.Words;

/**
 * Reads and writes the slot of an attribute whose content may be long: a {@code longstring[n]}, {@code longbytes[n]},
 * {@code longlist<…>[n]} or {@code longcodec<…>[n]}. Up to {@link #MAX_IN_SLOT} bytes lie in the slot. Longer content
 * lies in parts, which are rows of a hidden table, and the slot says which.
 *
 * <pre>
 *    0          4                                               96
 *    +----------+-----------------------------------------------+
 *    |  length  |  content, then zeros                          |     up to 92 bytes
 *    +----------+-----------+----------------------+------------+
 *    |  length  | first part| id of the writer     | zeros      |     more
 *    +----------+-----------+----------------------+------------+
 *    0          4           8                      16           96
 * </pre>
 *
 * <p>A row in local memory has a third form, which is never in a pool: the content lies elsewhere in the memory of the
 * row. The first part is then -1, and the place stands where the id would be. Rows have it that were put together from
 * their parts, and rows that were converted from a layout in which the content had room in the row.
 *
 * <p>The typed API reads and writes parts. This handle reads what lies in the slot:
 *
 * <pre>{@code
 * ContentField note = schema.contentField("text");
 * String text = note.isInParts(row.memory(), 0) ? "long" : note.text(row.memory(), 0);
 * }</pre>
 */
public record ContentField(Attribute attribute) implements Field {
    /** The most bytes that lie in the slot. */
    public static final int MAX_IN_SLOT = 92;

    static final int SLOT_BYTES = 96;

    private static final int NUMBER = 4;
    private static final int WRITER = 8;

    /** As the first part: the content lies in the same memory, and the id is its place there. */
    private static final int IN_MEMORY = -1;

    /** Refuses an attribute of another type. */
    public ContentField {
        if (attribute == null || !attribute.type().hasParts())
            throw new IllegalArgumentException("not an attribute with long content: " + attribute);
    }

    /** Returns the most bytes that a content can have. */
    public int maxBytes() {
        return attribute.type().contentBytes();
    }

    private long slot(long offset) {
        return offset + attribute.offset() + attribute.type().head();
    }

    /** Returns how many bytes the content has; 0 for null. */
    public int length(MemorySegment memory, long offset) {
        return length(memory, slot(offset), attribute.type(), attribute.name());
    }

    static int length(MemorySegment memory, long slot, AttributeType type, String name) {
        int length = Unaligned.getInt(memory, slot);
        if (length >= 0 && length <= type.contentBytes()) return length;
        throw LeafForm.damaged(
                name, "a length of " + length + " bytes, possible are up to " + type.contentBytes() + ",");
    }

    /** Returns whether the content lies in parts. */
    public boolean isInParts(MemorySegment memory, long offset) {
        return isInParts(memory, slot(offset), length(memory, offset));
    }

    private static boolean isInParts(MemorySegment memory, long slot, int length) {
        return length > MAX_IN_SLOT && !isInMemory(memory, slot, length);
    }

    /** Returns the id of the transaction that wrote the parts of the content. */
    public long writer(MemorySegment memory, long offset) {
        return Unaligned.getLong(memory, slot(offset) + WRITER);
    }

    /** Returns the number of the first part of the content among those of its writer. */
    public int firstPart(MemorySegment memory, long offset) {
        return Unaligned.getInt(memory, slot(offset) + NUMBER);
    }

    /** Writes where the parts of a content are; its length is in the slot already. */
    public void refer(MemorySegment memory, long offset, long writer, int firstPart) {
        Unaligned.putInt(memory, slot(offset) + NUMBER, firstPart);
        Unaligned.putLong(memory, slot(offset) + WRITER, writer);
    }

    /** Returns whether the content lies elsewhere in the memory of the row, at {@link #place(MemorySegment, long)}. */
    public boolean isInMemory(MemorySegment memory, long offset) {
        return isInMemory(memory, slot(offset), length(memory, offset));
    }

    private static boolean isInMemory(MemorySegment memory, long slot, int length) {
        return length > MAX_IN_SLOT && Unaligned.getInt(memory, slot + NUMBER) == IN_MEMORY;
    }

    /** Returns where the content lies in the memory of the row; refuses content in parts. */
    public long place(MemorySegment memory, long offset) {
        return place(memory, slot(offset), length(memory, offset), attribute.name());
    }

    /** Writes that the content lies at {@code place} of the same memory. */
    void placeInMemory(MemorySegment memory, long offset, long place) {
        refer(memory, offset, place, IN_MEMORY);
    }

    /**
     * Copies a content into a slot of zeros if it fits. Otherwise copies it to {@code place} of the memory of the slot,
     * which says so. Returns the end of what was copied there, a multiple of eight if {@code place} is one.
     */
    static long putAnywhere(MemorySegment source, long at, int length, MemorySegment memory, long slot, long place) {
        Unaligned.putInt(memory, slot, length);
        if (length <= MAX_IN_SLOT) {
            MemorySegment.copy(source, at, memory, slot + NUMBER, length);
            return place;
        }
        Unaligned.putInt(memory, slot + NUMBER, IN_MEMORY);
        Unaligned.putLong(memory, slot + WRITER, place);
        MemorySegment.copy(source, at, memory, place, length);
        return place + bytesElsewhere(length);
    }

    /** Returns the bytes that a content takes elsewhere in memory, in whole words; 0 if it fits its slot. */
    static long bytesElsewhere(int length) {
        return length <= MAX_IN_SLOT ? 0 : length + Words.BYTES - 1 & -Words.BYTES;
    }

    /** Returns where the content lies in the memory of the slot; refuses content in parts. */
    static long place(MemorySegment memory, long slot, int length, String name) {
        if (length <= MAX_IN_SLOT) return slot + NUMBER;
        if (!isInParts(memory, slot, length)) return Unaligned.getLong(memory, slot + WRITER);
        throw new IllegalStateException("attribute '" + name + "' has " + length
                + " bytes, which lie in parts: read the record with its Table, a field has up to " + MAX_IN_SLOT);
    }

    /** Returns the bytes of the content in a new array; null for null. Refuses content in parts. */
    public byte[] bytes(MemorySegment memory, long offset) {
        if (isNull(memory, offset)) return null;
        int length = length(memory, offset);
        return LeafForm.bytes(memory, place(memory, slot(offset), length, attribute.name()), length);
    }

    /** Returns the content of a {@code longstring[n]}; null for null. Refuses content in parts. */
    public String text(MemorySegment memory, long offset) {
        byte[] bytes = bytes(memory, offset);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    /** Writes a content that fits the slot, in place of one that does; refuses others. */
    public void set(MemorySegment memory, long offset, byte[] content) {
        Fields.requireValue(attribute, content);
        requireInSlot(memory, offset);
        requireFits(content);
        if (content.length > MAX_IN_SLOT)
            throw new IllegalArgumentException("attribute '" + attribute.name() + "' takes up to " + MAX_IN_SLOT
                    + " bytes through a field, not " + content.length + ": write the record with its Table");
        putInSlot(memory, marked(memory, offset), content);
    }

    @Override
    public void setNull(MemorySegment memory, long offset) {
        requireInSlot(memory, offset);
        Field.super.setNull(memory, offset);
    }

    /** Refuses bytes that are too long, or no UTF-8 for a text. */
    void requireFits(byte[] content) {
        if (content.length > maxBytes())
            throw new IllegalArgumentException("attribute '" + attribute.name() + "' holds at most " + maxBytes()
                    + " bytes, not " + content.length);
        boolean isText = attribute.type().kind() == AttributeType.Kind.LONGSTRING;
        if (isText && !Utf8.isStorable(content, 0, content.length, true))
            throw new IllegalArgumentException("attribute '" + attribute.name() + "' takes UTF-8; these bytes are not");
    }

    /** Otherwise parts would be left that no row refers to. */
    private void requireInSlot(MemorySegment memory, long offset) {
        if (isInParts(memory, offset))
            throw new IllegalStateException("attribute '" + attribute.name() + "' has content in parts, which a field"
                    + " cannot replace: write the record with its Table");
    }

    private long marked(MemorySegment memory, long offset) {
        Fields.mark(attribute, memory, offset);
        return slot(offset);
    }

    static void putInSlot(MemorySegment memory, long slot, byte[] content) {
        Unaligned.putInt(memory, slot, content.length);
        MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, slot + NUMBER, content.length);
        Utf8.fill(memory, slot + NUMBER + content.length, slot + SLOT_BYTES);
    }

    /**
     * Writes a content into the slot of a row of zeros, if it fits. Otherwise writes its length, and returns true: it
     * goes into parts.
     */
    boolean begin(MemorySegment row, byte[] content) {
        boolean isLong = content.length > MAX_IN_SLOT;
        if (isLong) Unaligned.putInt(row, slot(0), content.length);
        else putInSlot(row, slot(0), content);
        return isLong;
    }
}
