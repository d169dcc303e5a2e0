package tidepool.cli.shell;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.ContentField;
import tidepool.schema.Field;
import tidepool.schema.FieldRow;
import tidepool.schema.Fields.BooleanField;
import tidepool.schema.Fields.ByteField;
import tidepool.schema.Fields.BytesField;
import tidepool.schema.Fields.CharField;
import tidepool.schema.Fields.DoubleField;
import tidepool.schema.Fields.FloatField;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.ShortField;
import tidepool.schema.Fields.StringField;
import tidepool.schema.ValueFields.DateField;
import tidepool.schema.ValueFields.DecimalField;
import tidepool.schema.ValueFields.DurationField;
import tidepool.schema.ValueFields.EnumField;
import tidepool.schema.ValueFields.InstantField;
import tidepool.schema.ValueFields.ListField;
import tidepool.schema.ValueFields.NullableField;
import tidepool.schema.ValueFields.PresentField;
import tidepool.schema.ValueFields.UuidField;
import tidepool.schema.ValueFields.VarBytesField;
import tidepool.schema.ValueFields.VarStringField;

/** Fields as text in both directions: {@link #write} turns the text of {@link #print} back into equal bytes. */
public final class FieldText {
    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern NUMBER = Pattern.compile("[-+]?(NaN|Infinity|[0-9.]+([eE][-+]?[0-9]+)?)");
    private static final String NAN_BITS = "NaN:0x";

    /**
     * Whether the output takes Unicode. If a terminal or pipe takes ASCII only, other letters would silently become
     * question marks.
     */
    private static final boolean UNICODE =
            System.out.charset().newEncoder().canEncode('\u4e16'); // a letter that is missing from Latin-1 too

    private FieldText() {}

    /**
     * Writes a text, as {@link #plain} returns it, into a field of the value that begins at {@code offset}. Throws a
     * {@link StatementException} if it does not fit.
     */
    public static void write(Field field, String text, MemorySegment memory, long offset) {
        write(field, LexToken.quoted(text), memory, offset);
    }

    /**
     * Writes a word into a field of the value that begins at {@code offset}. Throws a {@link StatementException} if the
     * word does not fit.
     */
    static void write(Field field, LexToken word, MemorySegment memory, long offset) {
        String text = word.text();
        if (!word.isQuoted() && text.equalsIgnoreCase("null")) {
            setNull(field, memory, offset);
            return;
        }
        try {
            switch (field) {
                case ByteField f -> f.set(memory, offset, (byte) whole(f, text, Byte.MIN_VALUE, Byte.MAX_VALUE));
                case ShortField f -> f.set(memory, offset, (short) whole(f, text, Short.MIN_VALUE, Short.MAX_VALUE));
                case IntField f -> f.set(memory, offset, (int) whole(f, text, Integer.MIN_VALUE, Integer.MAX_VALUE));
                case LongField f -> f.set(memory, offset, whole(f, text, Long.MIN_VALUE, Long.MAX_VALUE));
                case FloatField f -> f.set(memory, offset, single(text));
                case DoubleField f -> f.set(memory, offset, number(text));
                case BooleanField f -> f.set(memory, offset, truth(f, text));
                case CharField f -> f.set(memory, offset, character(f, text));
                case BytesField f -> f.set(memory, offset, bytes(f, text));
                case StringField f -> f.set(memory, offset, text);
                case NullableField f -> writeNullable(f, text, memory, offset);
                case InstantField f -> f.set(memory, offset, Instant.parse(text));
                case DurationField f -> f.set(memory, offset, Duration.parse(text));
                case DateField f -> f.set(memory, offset, LocalDate.parse(text));
                case UuidField f -> f.set(memory, offset, uuid(f, text));
                case DecimalField f -> f.set(memory, offset, new BigDecimal(text));
                case EnumField f -> f.set(memory, offset, text);
                case VarStringField f -> f.set(memory, offset, text);
                case VarBytesField f -> f.set(memory, offset, anyBytes(f, text));
                case PresentField f -> f.set(memory, offset, truth(f, text));
                case ListField f -> ListText.write(f, text, memory, offset);
                case ContentField f -> f.set(memory, offset, content(f, text));
            }
        } catch (DateTimeParseException e) {
            throw wrong(field, text, form(field));
        } catch (NumberFormatException e) {
            throw wrong(field, text, "a number");
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage().replace("attribute '", "field '"));
        }
    }

    /**
     * Writes a text, as {@link #plain} returns it, into a field of a row. Throws a {@link StatementException} if the
     * text does not fit.
     */
    public static void write(Field field, String text, FieldRow row) {
        write(field, LexToken.quoted(text), row);
    }

    /** Writes a word into a field of a row. Throws a {@link StatementException} if the word does not fit. */
    static void write(Field field, LexToken word, FieldRow row) {
        boolean isNull = !word.isQuoted() && word.text().equalsIgnoreCase("null");
        if (!(field instanceof ContentField content)
                || isNull && !field.attribute().type().isNullable()) {
            write(field, word, row.memory(), 0);
            return;
        }
        try {
            row.content(content, isNull ? null : content(content, word.text()));
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage().replace("attribute '", "field '"));
        }
    }

    /** A text is its UTF-8; everything else is hexadecimal, as it is printed. */
    private static byte[] content(ContentField field, String text) {
        return isText(field) ? text.getBytes(StandardCharsets.UTF_8) : anyBytes(field, text);
    }

    /** Returns the field of a row in the form in which a user would type it. */
    static String print(Field field, FieldRow row) {
        if (field.isNull(row.memory(), 0)) return "null";
        return field instanceof ContentField content
                ? print(content, row.content(content))
                : print(field, row.memory(), 0);
    }

    private static String print(ContentField field, byte[] content) {
        return isText(field) ? quote(new String(content, StandardCharsets.UTF_8)) : "0x" + HEX.formatHex(content);
    }

    private static void setNull(Field field, MemorySegment memory, long offset) {
        AttributeType type = field.attribute().type();
        if (!type.isNullable())
            throw new StatementException("field '" + field.attribute().name() + "' is " + type(type)
                    + ", which is never null" + (isText(field) ? "; the word is written 'null'" : ""));
        field.setNull(memory, offset);
    }

    private static void writeNullable(NullableField field, String text, MemorySegment memory, long offset) {
        switch (field.attribute().type().kind()) {
            case BYTE -> field.setLong(memory, offset, whole(field, text, Byte.MIN_VALUE, Byte.MAX_VALUE));
            case SHORT -> field.setLong(memory, offset, whole(field, text, Short.MIN_VALUE, Short.MAX_VALUE));
            case INT -> field.setLong(memory, offset, whole(field, text, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case LONG -> field.setLong(memory, offset, whole(field, text, Long.MIN_VALUE, Long.MAX_VALUE));
            case FLOAT -> field.setDouble(memory, offset, single(text));
            case DOUBLE -> field.setDouble(memory, offset, number(text));
            case BOOLEAN -> field.setBoolean(memory, offset, truth(field, text));
            default -> field.setLong(memory, offset, character(field, text));
        }
    }

    private static String printNullable(NullableField field, MemorySegment memory, long offset) {
        return switch (field.attribute().type().kind()) {
            case FLOAT -> text((float) field.getDouble(memory, offset));
            case DOUBLE -> text(field.getDouble(memory, offset));
            case BOOLEAN -> Boolean.toString(field.getBoolean(memory, offset));
            case CHAR -> quote(String.valueOf((char) field.getLong(memory, offset)));
            default -> Long.toString(field.getLong(memory, offset));
        };
    }

    private static String form(Field field) {
        return switch (field) {
            case InstantField f -> "an instant such as 2026-01-31T12:00:00Z";
            case DateField f -> "a date such as 2026-01-31";
            default -> "a duration such as PT1H30M";
        };
    }

    private static UUID uuid(Field field, String text) {
        if (text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) return UUID.fromString(text);
        throw wrong(field, text, "32 hexadecimal digits in groups of 8-4-4-4-12");
    }

    /** Returns the text of a field that is not null, without quotation marks. */
    public static String plain(Field field, MemorySegment memory, long offset) {
        return switch (field) {
            case StringField f -> f.get(memory, offset);
            case VarStringField f -> f.get(memory, offset);
            case ContentField f when isText(f) -> f.text(memory, offset);
            case CharField f -> plain(f.get(memory, offset));
            case NullableField f
            when f.attribute().type().kind() == AttributeType.Kind.CHAR -> plain((char) f.getLong(memory, offset));
            default -> print(field, memory, offset);
        };
    }

    /** Returns a character, or its number if UTF-8 has no bytes for it: half a surrogate pair. */
    static String plain(char c) {
        return Character.isSurrogate(c) ? String.format(Locale.ROOT, "U+%04X", (int) c) : String.valueOf(c);
    }

    /** Returns the field of a value in the form in which a user would type it. */
    static String print(Field field, MemorySegment memory, long offset) {
        if (field.isNull(memory, offset)) return "null";
        return switch (field) {
            case ByteField f -> Byte.toString(f.get(memory, offset));
            case ShortField f -> Short.toString(f.get(memory, offset));
            case IntField f -> Integer.toString(f.get(memory, offset));
            case LongField f -> Long.toString(f.get(memory, offset));
            case FloatField f -> text(f.get(memory, offset));
            case DoubleField f -> text(f.get(memory, offset));
            case BooleanField f -> Boolean.toString(f.get(memory, offset));
            case CharField f -> quote(String.valueOf(f.get(memory, offset)));
            case BytesField f -> "0x" + HEX.formatHex(f.get(memory, offset));
            case StringField f -> quote(f.get(memory, offset));
            case NullableField f -> printNullable(f, memory, offset);
            case InstantField f -> f.get(memory, offset).toString();
            case DurationField f -> f.get(memory, offset).toString();
            case DateField f -> f.get(memory, offset).toString();
            case UuidField f -> f.get(memory, offset).toString();
            case DecimalField f -> f.get(memory, offset).toString();
            case EnumField f -> f.get(memory, offset);
            case VarStringField f -> quote(f.get(memory, offset));
            case VarBytesField f -> "0x" + HEX.formatHex(f.get(memory, offset));
            case PresentField f -> Boolean.toString(f.get(memory, offset));
            case ListField f -> ListText.print(f, memory, offset);
            case ContentField f -> print(f, f.bytes(memory, offset));
        };
    }

    /** Returns a type in the form of {@code create}. */
    public static String type(AttributeType type) {
        return switch (type.kind()) {
            case STRING -> "text(" + type.length() + ")" + (type.isNullable() ? "?" : "");
            case BYTES -> "bytes(" + type.length() + ")" + (type.isNullable() ? "?" : "");
            default -> type.text();
        };
    }

    /** Parses a 64-bit number, decimal or {@code 0x…}. Hexadecimal digits are bits, so 0xffffffffffffffff is -1. */
    static long whole(String text) {
        String digits = text.replace("_", "");
        if (digits.toLowerCase(Locale.ROOT).startsWith("0x")) return Long.parseUnsignedLong(digits.substring(2), 16);
        return Long.parseLong(digits);
    }

    private static long whole(Field field, String text, long min, long max) {
        long number;
        try {
            number = whole(text);
        } catch (NumberFormatException e) {
            throw wrong(field, text, "a whole number from " + min + " to " + max);
        }
        if (number < min || number > max) throw wrong(field, text, "a whole number from " + min + " to " + max);
        return number;
    }

    // ---- floats and doubles; a NaN with other bits than the usual one has them in its text

    private static String text(float number) {
        int bits = Float.floatToRawIntBits(number);
        boolean isUsual = !Float.isNaN(number) || bits == Float.floatToIntBits(Float.NaN);
        return isUsual ? Float.toString(number) : NAN_BITS + Integer.toHexString(bits);
    }

    private static String text(double number) {
        long bits = Double.doubleToRawLongBits(number);
        boolean isUsual = !Double.isNaN(number) || bits == Double.doubleToLongBits(Double.NaN);
        return isUsual ? Double.toString(number) : NAN_BITS + Long.toHexString(bits);
    }

    private static float single(String text) {
        if (text.startsWith(NAN_BITS))
            return Float.intBitsToFloat(Integer.parseUnsignedInt(text.substring(NAN_BITS.length()), 16));
        return Float.parseFloat(checked(text));
    }

    private static double number(String text) {
        if (text.startsWith(NAN_BITS))
            return Double.longBitsToDouble(Long.parseUnsignedLong(text.substring(NAN_BITS.length()), 16));
        return Double.parseDouble(checked(text));
    }

    /** Refuses 1.5f and 2d, which Java would parse as numbers too. */
    private static String checked(String text) {
        if (NUMBER.matcher(text).matches()) return text;
        throw new NumberFormatException(text);
    }

    private static boolean truth(Field field, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(field, text, "true or false");
        };
    }

    private static char character(Field field, String text) {
        if (text.length() == 1) return text.charAt(0);
        if (text.matches("U\\+[0-9A-F]{4}")) return (char) Integer.parseInt(text.substring(2), 16);
        throw wrong(field, text, "one character");
    }

    private static byte[] bytes(Field field, String text) {
        int length = field.attribute().type().length();
        String digits = digits(text);
        if (digits.length() == 2 * length && digits.matches("[0-9a-fA-F]*")) return HEX.parseHex(digits);
        throw wrong(field, text, "exactly " + length + " bytes in hexadecimal, 0x and " + 2 * length + " digits");
    }

    private static byte[] anyBytes(Field field, String text) {
        String digits = digits(text);
        if (digits.length() % 2 == 0 && digits.matches("[0-9a-fA-F]*")) return HEX.parseHex(digits);
        throw wrong(field, text, "bytes in hexadecimal, 0x and two digits for each");
    }

    private static String digits(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith("0x") ? text.substring(2) : text;
    }

    private static StatementException wrong(Field field, String text, String what) {
        Attribute attribute = field.attribute();
        return new StatementException(
                "field '" + attribute.name() + "' is " + type(attribute.type()) + ": " + what + ", not '" + text + "'");
    }

    private static boolean isText(Field field) {
        return field instanceof StringField
                || field instanceof VarStringField
                || field.attribute().type().kind() == AttributeType.Kind.LONGSTRING;
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append("\\r");
                case '\'', '\\' -> quoted.append('\\').append(c);
                default -> {
                    // A character that a terminal would obey, or could not show, is written as its number.
                    if (Character.isISOControl(c) || isHalf(text, i) || isHidden(c))
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    else quoted.append(c);
                }
            }
        }
        return quoted.append('\'').toString();
    }

    private static boolean isHidden(char c) {
        return Character.getType(c) == Character.FORMAT || c > '~' && !UNICODE;
    }

    private static boolean isHalf(String text, int at) {
        char c = text.charAt(at);
        if (!Character.isSurrogate(c)) return false;
        boolean first =
                Character.isHighSurrogate(c) && at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        boolean second = Character.isLowSurrogate(c) && at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
        return !first && !second;
    }
}
