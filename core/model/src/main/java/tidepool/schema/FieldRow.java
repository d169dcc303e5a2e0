package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Words;

/**
 * The value of one row on fields, with its long contents, in memory of its own. For tools that know no record class:
 *
 * <pre>{@code
 * FieldRow row = rows.get(transaction, key);
 * int stars = schema.intField("stars").get(row.memory(), 0);
 * byte[] bytes = row.content(schema.contentField("text"));
 * }</pre>
 */
public final class FieldRow {
    private final Schema schema;
    private final MemorySegment memory;
    private final byte[][] contents; // of the fields of schema.contents(); null for what lies in its slot

    /** Makes the value of a new row: zeros, empty, and null where that is possible. */
    public FieldRow(Schema schema) {
        this.schema = schema;
        this.memory = MemorySegment.ofArray(new long[schema.length() / Words.BYTES]);
        this.contents = new byte[schema.contents().size()][];
    }

    /** Returns the value of a row that was put together. */
    public static FieldRow of(Schema schema, AssembledRow assembled) {
        FieldRow row = new FieldRow(schema);
        MemorySegment.copy(assembled.memory(), 0, row.memory, 0, schema.length());
        for (int i = 0; i < row.contents.length; i++) {
            ContentField field = schema.contents().get(i);
            if (field.isInMemory(assembled.memory(), 0)) row.contents[i] = field.bytes(assembled.memory(), 0);
        }
        return row;
    }

    /** Returns the memory of the value, which begins at 0, for fields. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the bytes of a long attribute, wherever they lie; null for null. */
    public byte[] content(ContentField field) {
        byte[] own = contents[index(field)];
        return own != null ? own.clone() : field.bytes(memory, 0);
    }

    /** Sets the bytes of a long attribute; null writes null. Refuses what does not fit. */
    public void content(ContentField field, byte[] content) {
        Attribute attribute = field.attribute();
        int i = index(field);
        if (content != null) field.requireFits(content);
        else if (!attribute.type().isNullable()) throw Form.isNull(attribute.name());
        contents[i] = null;
        Utf8.fill(memory, attribute.offset(), attribute.offset() + attribute.bytes());
        if (content == null) return;
        if (attribute.type().isNullable()) memory.set(ValueLayout.JAVA_BYTE, attribute.offset(), (byte) 1);
        if (field.begin(memory, content)) {
            field.placeInMemory(memory, 0, 0); // so that it is not taken for content of another row
            contents[i] = content.clone();
        }
    }

    private int index(ContentField field) {
        int index = schema.contents().indexOf(field);
        if (index >= 0) return index;
        throw new IllegalArgumentException("table '" + schema.name() + "' has no such attribute: " + field.attribute());
    }

    /** Returns the row and its contents for writing. */
    public RowImage image() {
        byte[] row = memory.toArray(ValueLayout.JAVA_BYTE);
        RowImage image = new RowImage(schema, row, contents.clone());
        for (int i = 0; i < contents.length; i++) if (contents[i] != null) image.refer(i, 0, 0);
        return image;
    }
}
