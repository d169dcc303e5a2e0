package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;

/** The default of an attribute, as text: {@code 3}, {@code NEW}, {@code 2026-01-31}. */
final class DefaultText {
    private static final int MAX_CHARACTERS = 256;

    private DefaultText() {}

    /** Refuses a text that is no value of the type. */
    static void check(Attribute attribute, String text) {
        boolean isShown = text != null && text.length() <= MAX_CHARACTERS;
        for (int i = 0; isShown && i < text.length(); i++) isShown = !Character.isISOControl(text.charAt(i));
        if (!isShown)
            throw new IllegalArgumentException("a default is a text of at most " + MAX_CHARACTERS
                    + " characters without control characters: attribute=" + attribute.name());
        Attribute alone = new Attribute(0, attribute.name(), attribute.type(), 0);
        write(alone, text, MemorySegment.ofArray(new long[attribute.bytes() / Long.BYTES + 1]), 0);
    }

    /** Writes a default into a value of zeros. */
    static void write(Attribute attribute, String text, MemorySegment memory, long offset) {
        try {
            put(attribute, text, memory, offset);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "not a default of attribute '" + attribute.name() + "', which is " + attribute.type() + ": "
                            + SchemaText.quote(text),
                    e);
        }
    }

    private static void put(Attribute attribute, String text, MemorySegment memory, long offset) {
        AttributeType type = attribute.type();
        long at = offset + attribute.offset() + type.head();
        switch (type.kind()) {
            case BYTE -> Unaligned.putByte(memory, at, Byte.parseByte(text));
            case SHORT -> memory.set(Unaligned.I16, at, Short.parseShort(text));
            case INT -> Unaligned.putInt(memory, at, Integer.parseInt(text));
            case LONG -> Unaligned.putLong(memory, at, Long.parseLong(text));
            case FLOAT -> memory.set(Unaligned.F32, at, Float.parseFloat(text));
            case DOUBLE -> memory.set(Unaligned.F64, at, Double.parseDouble(text));
            case BOOLEAN, PRESENT -> Unaligned.putByte(memory, at, truth(text) ? 1 : 0);
            case CHAR -> memory.set(Unaligned.UTF16, at, character(text));
            case STRING -> new Fields.StringField(attribute).set(memory, offset, text);
            case VARSTRING -> new ValueFields.VarStringField(attribute).set(memory, offset, text);
            case INSTANT -> new ValueFields.InstantField(attribute).set(memory, offset, Instant.parse(text));
            case DURATION -> new ValueFields.DurationField(attribute).set(memory, offset, Duration.parse(text));
            case DATE -> new ValueFields.DateField(attribute).set(memory, offset, LocalDate.parse(text));
            case UUID -> new ValueFields.UuidField(attribute).set(memory, offset, UUID.fromString(text));
            case DECIMAL -> new ValueFields.DecimalField(attribute).set(memory, offset, new BigDecimal(text));
            case ENUM -> new ValueFields.EnumField(attribute).set(memory, offset, text);
            case LONGSTRING -> new ContentField(attribute).set(memory, offset, text.getBytes(StandardCharsets.UTF_8));
            case VARBYTES, LIST, CODEC, LONGBYTES, LONGLIST, LONGCODEC, BYTES, RECORD -> requireEmpty(text);
        }
        if (type.isNullable()) Unaligned.putByte(memory, offset + attribute.offset(), 1);
    }

    private static boolean truth(String text) {
        if (text.equals("true") || text.equals("false")) return text.equals("true");
        throw new IllegalArgumentException("true or false");
    }

    private static char character(String text) {
        if (text.length() == 1) return text.charAt(0);
        throw new IllegalArgumentException("one character");
    }

    /** Bytes and lists have zeros, or nothing, as their only default. */
    private static void requireEmpty(String text) {
        if (!text.isEmpty()) throw new IllegalArgumentException("an empty text");
    }
}
