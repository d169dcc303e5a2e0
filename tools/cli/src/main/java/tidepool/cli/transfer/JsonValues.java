package tidepool.cli.transfer;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tidepool.cli.shell.FieldText;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.ContentField;
import tidepool.schema.Field;
import tidepool.schema.FieldRow;
import tidepool.schema.ValueFields.ListField;

/**
 * Values as JSON, in both directions: numbers and truth values as such, lists as arrays, records in lists as objects,
 * and all else as the text that the shell takes. An element is handled in memory of its own, because it is not aligned
 * in its list.
 */
final class JsonValues {
    private JsonValues() {}

    static void write(Field field, MemorySegment memory, long value, JsonGenerator out) throws IOException {
        if (field.isNull(memory, value)) out.writeNull();
        else if (field instanceof ListField list) writeList(list, memory, value, out);
        else writeText(field.attribute().type(), FieldText.plain(field, memory, value), out);
    }

    /** Writes a single value by the text that it has in the shell. */
    static void writeText(AttributeType type, String text, JsonGenerator out) throws IOException {
        switch (type.kind()) {
            case BYTE, SHORT, INT, LONG -> out.writeNumber(text);
            case BOOLEAN, PRESENT -> out.writeBoolean(text.equals("true"));
            case FLOAT, DOUBLE -> {
                if (text.startsWith("N") || text.endsWith("y")) out.writeString(text); // NaN, Infinity
                else out.writeNumber(text);
            }
            default -> out.writeString(text);
        }
    }

    private static void writeList(ListField list, MemorySegment memory, long value, JsonGenerator out)
            throws IOException {
        AttributeType element = list.attribute().type().element();
        out.writeStartArray();
        for (int i = 0; i < list.count(memory, value); i++) {
            MemorySegment own = own(element);
            MemorySegment.copy(memory, list.at(value, i), own, 0, element.bytes());
            if (element.kind() == AttributeType.Kind.RECORD) writeRecord(element, own, out);
            else write(Field.of(new Attribute(0, "element", element, 0)), own, 0, out);
        }
        out.writeEndArray();
    }

    private static void writeRecord(AttributeType type, MemorySegment own, JsonGenerator out) throws IOException {
        if (type.isNullable() && own.get(ValueLayout.JAVA_BYTE, 0) == 0) {
            out.writeNull();
            return;
        }
        out.writeStartObject();
        for (Attribute each : type.members()) {
            out.writeFieldName(each.name());
            MemorySegment member = own(each.type());
            MemorySegment.copy(own, head(type) + each.offset(), member, 0, each.bytes());
            write(Field.of(new Attribute(0, each.name(), each.type(), 0)), member, 0, out);
        }
        out.writeEndObject();
    }

    /**
     * Reads the value at which the parser is, and writes it into a field of a row. Refuses what does not fit, in a
     * sentence.
     */
    static void read(JsonParser in, Field field, FieldRow row) throws IOException {
        boolean isLong = field instanceof ContentField && in.currentToken() != JsonToken.VALUE_NULL;
        Attribute attribute = field.attribute();
        if (isLong) FieldText.write(field, text(in, attribute.type(), attribute.name()), row);
        else read(in, field, row.memory(), 0);
    }

    private static void read(JsonParser in, Field field, MemorySegment memory, long value) throws IOException {
        AttributeType type = field.attribute().type();
        String name = field.attribute().name();
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            field.setNull(memory, value);
        } else if (field instanceof ListField list) {
            readList(in, list, memory, value);
        } else {
            FieldText.write(field, text(in, type, name), memory, value);
        }
    }

    /** Returns the text of a single value. A number is no text, so that 007 and 7 remain different. */
    static String text(JsonParser in, AttributeType type, String name) throws IOException {
        boolean isText =
                switch (type.kind()) {
                    case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, DECIMAL, BOOLEAN, PRESENT -> false;
                    default -> true;
                };
        boolean fits = isText
                ? in.currentToken() == JsonToken.VALUE_STRING
                : in.currentToken().isScalarValue();
        if (fits && in.currentToken() != JsonToken.VALUE_NULL) return in.getText();
        throw new IllegalArgumentException("field '" + name + "' is " + FieldText.type(type) + ": "
                + (isText ? "a string" : "a single value") + " is expected, not " + shown(in));
    }

    private static String shown(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_ARRAY -> "an array";
            case START_OBJECT -> "an object";
            default -> in.getText();
        };
    }

    private static void readList(JsonParser in, ListField list, MemorySegment memory, long value) throws IOException {
        AttributeType type = list.attribute().type();
        String name = list.attribute().name();
        if (in.currentToken() != JsonToken.START_ARRAY)
            throw new IllegalArgumentException(
                    "field '" + name + "' is a list: an array is expected, not " + shown(in));
        list.setCount(memory, value, 0);
        int count = 0;
        while (in.nextToken() != JsonToken.END_ARRAY) {
            list.setCount(memory, value, count + 1);
            MemorySegment own = own(type.element());
            readElement(in, type.element(), name + "[" + count + "]", own);
            MemorySegment.copy(
                    own, 0, memory, list.at(value, count), type.element().bytes());
            count++;
        }
    }

    private static void readElement(JsonParser in, AttributeType type, String name, MemorySegment own)
            throws IOException {
        if (type.kind() == AttributeType.Kind.RECORD) readRecord(in, type, name, own);
        else read(in, Field.of(new Attribute(0, name, type, 0)), own, 0);
    }

    private static void readRecord(JsonParser in, AttributeType type, String name, MemorySegment own)
            throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NULL && type.isNullable()) return;
        if (in.currentToken() != JsonToken.START_OBJECT)
            throw new IllegalArgumentException(name + " is a record: an object is expected, not " + shown(in));
        if (type.isNullable()) own.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        Set<String> missing = new HashSet<>();
        for (Attribute each : type.members()) if (!each.type().isNullable()) missing.add(each.name());
        while (in.nextToken() != JsonToken.END_OBJECT) {
            Attribute member = member(type, name, in.currentName());
            missing.remove(member.name());
            in.nextToken();
            MemorySegment content = own(member.type());
            readElement(in, member.type(), name + "." + member.name(), content);
            MemorySegment.copy(content, 0, own, head(type) + member.offset(), member.bytes());
        }
        if (!missing.isEmpty()) throw new IllegalArgumentException(name + " has no " + String.join(", ", missing));
    }

    private static Attribute member(AttributeType type, String name, String wanted) {
        List<Attribute> members = type.members();
        for (Attribute each : members) if (each.name().equals(wanted)) return each;
        throw new IllegalArgumentException(name + " has no field '" + wanted + "'; it has "
                + String.join(", ", members.stream().map(Attribute::name).toList()));
    }

    private static MemorySegment own(AttributeType type) {
        return MemorySegment.ofArray(new long[(type.bytes() + Long.BYTES - 1) / Long.BYTES]);
    }

    private static int head(AttributeType type) {
        return type.isNullable() ? 1 : 0;
    }
}
