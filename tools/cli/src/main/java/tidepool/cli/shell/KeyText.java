package tidepool.cli.shell;

import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tidepool.cli.shell.Statement.TypedKey;
import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.KeyPacker;
import tidepool.schema.KeySchema;
import tidepool.schema.RowKey;

/**
 * The text form of a key. A key of several parts, or of another type than a number, has its parts in their order. The
 * keys of most tables are one word. Only the application knows how it packs parts into such a word, so its parts are
 * written with their widths.
 *
 * <pre>
 *   key  = part | "(" part *( "," part ) ")"
 *   part = number | text | "true" | "false" | 0x followed by bytes | a constant, an instant, a date, a UUID
 *        | number ":" bits                two parts without bits are EightByteKeys.pack(high, low)
 * </pre>
 */
public final class KeyText {
    private KeyText() {}

    static TypedKey parse(Cursor cursor) {
        if (cursor.accept('(')) return parts(cursor);
        LexToken token = cursor.value("a key");
        if (cursor.peek() != null && cursor.peek().is('='))
            throw new StatementException("a key is expected before the fields, and '" + token.text() + "=' is a field");
        return new TypedKey(List.of(token), false);
    }

    private static TypedKey parts(Cursor cursor) {
        List<LexToken> parts = new ArrayList<>();
        do parts.add(cursor.value("a part of the key"));
        while (cursor.accept(','));
        cursor.expect(')', "behind the parts of the key");
        return new TypedKey(List.copyOf(parts), true);
    }

    /** Returns the key of a table that was typed. */
    static RowKey of(KeySchema schema, TypedKey typed) {
        if (schema.isLong()) return schema.keyOf(word(typed));
        if (typed.parts().size() != schema.parts())
            throw new StatementException("a key of this table has " + schema.parts() + " parts, " + schema + ", not "
                    + typed.parts().size() + ": " + typed.text());
        RowKey key = schema.newKey();
        try {
            for (int part = 0; part < schema.parts(); part++)
                set(key, part, typed.parts().get(part));
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage());
        }
        return key;
    }

    /** Returns a key in the form in which a user would type it. */
    static String print(RowKey key) {
        KeySchema schema = key.schema();
        if (schema.parts() == 1) return print(key, 0);
        return IntStream.range(0, schema.parts())
                .mapToObj(part -> print(key, part))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /** Returns the text of a part of a key, without quotation marks. */
    public static String plain(RowKey key, int part) {
        Object value = key.get(part);
        return value instanceof String text
                ? text
                : value instanceof Character c ? FieldText.plain(c) : print(key, part);
    }

    /**
     * Sets a part of a key to a text, as {@link #plain} returns it. Throws a {@link StatementException} or an
     * {@link IllegalArgumentException} if it does not fit.
     */
    public static void write(RowKey key, int part, String text) {
        if (key.schema().isLong()) key.setLong(0, whole(text));
        else set(key, part, LexToken.quoted(text));
    }

    private static String print(RowKey key, int part) {
        Object value = key.get(part);
        return switch (value) {
            case String text when key.schema().type(part).kind() == AttributeType.Kind.ENUM -> text;
            case String text -> FieldText.quote(text);
            case Character c -> FieldText.quote(c.toString());
            case byte[] bytes -> "0x" + HexFormat.of().formatHex(bytes);
            default -> value.toString();
        };
    }

    private static void set(RowKey key, int part, LexToken token) {
        AttributeType type = key.schema().type(part);
        String text = token.text();
        switch (type.kind()) {
            case STRING -> key.setString(part, text);
            case BYTES -> key.setBytes(part, bytes(text));
            case BOOLEAN -> key.setLong(part, truth(text));
            case CHAR -> key.setLong(part, character(text));
            case ENUM -> key.setEnum(part, text);
            case INSTANT, DATE, UUID -> key.set(part, parsed(type, text));
            default -> key.setLong(part, whole(text));
        }
    }

    static byte[] bytes(String text) {
        try {
            if (text.startsWith("0x")) return HexFormat.of().parseHex(text, 2, text.length());
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw new StatementException("bytes are hexadecimal, such as 0x00ff, not '" + text + "'");
    }

    private static Object parsed(AttributeType type, String text) {
        try {
            return switch (type.kind()) {
                case INSTANT -> Instant.parse(text);
                case DATE -> LocalDate.parse(text);
                default -> UUID.fromString(text);
            };
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw new StatementException("'" + text + "' is no " + FieldText.type(type));
        }
    }

    static long truth(String text) {
        if (text.equals("true")) return 1;
        if (text.equals("false")) return 0;
        throw new StatementException("true or false is expected, not '" + text + "'");
    }

    static long character(String text) {
        if (text.length() == 1) return text.charAt(0);
        if (text.matches("U\\+[0-9A-F]{4}")) return Integer.parseInt(text.substring(2), 16);
        throw new StatementException("one character is expected, not '" + text + "'");
    }

    // ---- keys that are one word

    private static long word(TypedKey typed) {
        List<String> texts = typed.parts().stream().map(LexToken::text).toList();
        if (!typed.inParentheses()) return whole(texts.getFirst());
        boolean plain = texts.stream().noneMatch(each -> each.contains(":"));
        return plain ? pair(texts, typed.text()) : packed(texts, typed.text());
    }

    private static long pair(List<String> parts, String text) {
        if (parts.size() == 1) return whole(parts.getFirst());
        if (parts.size() > 2)
            throw new StatementException("a key of " + parts.size()
                    + " parts says how many bits each takes, (3:16, 7:8, 1:40), not " + text);
        return EightByteKeys.pack(half(parts.getFirst()), half(parts.getLast()));
    }

    private static int half(String part) {
        long number = whole(part);
        if (number == (int) number) return (int) number;
        throw new StatementException("a part of a pair has 32 bits, and " + part + " does not fit");
    }

    private static long packed(List<String> parts, String text) {
        KeyPacker packer = EightByteKeys.packer();
        long[] values = new long[parts.size()];
        try {
            for (int i = 0; i < values.length; i++) {
                String[] both = parts.get(i).split(":", -1);
                if (both.length != 2)
                    throw new StatementException(
                            "all parts of a key have their bits, or none: (3:16, 7:8, 1:40), not " + text);
                values[i] = whole(both[0]);
                packer = packer.bits("number " + (i + 1), Math.clamp(whole(both[1]), 0, 1000));
            }
            return packer.pack(values);
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage());
        }
    }

    private static long whole(String text) {
        try {
            return FieldText.whole(text);
        } catch (NumberFormatException e) {
            throw new StatementException(
                    "a key is a number of 64 bits, such as 42 or 0x2a, or has parts, such as (3, 7); not '" + text
                            + "'");
        }
    }
}
