package tidepool.cli.transfer;

import java.lang.foreign.MemorySegment;
import tidepool.cli.shell.FieldText;
import tidepool.cli.shell.KeyText;
import tidepool.schema.AttributeType;
import tidepool.schema.Field;
import tidepool.schema.FieldRow;
import tidepool.schema.RowKey;

/**
 * A column of a file: a part of the key, or an attribute of the value.
 *
 * @param name its name in the file
 * @param type the type of its content
 * @param part the number of the part of the key; -1 for an attribute
 * @param field the handle of the attribute; null for a part of the key
 */
record Column(String name, AttributeType type, int part, Field field) {
    boolean isKey() {
        return field == null;
    }

    /** Returns name and type, as they stand in the first line of a file. */
    String declaration() {
        return name + ":" + type.text() + (isKey() ? " key" : "");
    }

    boolean isNull(MemorySegment memory, long value) {
        return !isKey() && field.isNull(memory, value);
    }

    /** Returns a single value, which is not null and no list, as it stands in a file. */
    String print(RowKey key, MemorySegment memory, long value) {
        return isKey() ? KeyText.plain(key, part) : FieldText.plain(field, memory, value);
    }

    /** Writes a single value that is not null and no list. Refuses what does not fit, in a sentence. */
    void write(String text, RowKey key, FieldRow row) {
        if (isKey()) KeyText.write(key, part, text);
        else FieldText.write(field, text, row);
    }

    boolean isList() {
        return type.kind() == AttributeType.Kind.LIST;
    }
}
