package tidepool.cli.shell;

import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidepool.schema.AttributeType;

/**
 * Parser of the type of a field. It accepts the type names of the schema and common names from other systems, and
 * {@code string[32]}, the notation of the documents.
 */
final class TypeParser {
    private static final Pattern LENGTH = Pattern.compile("(\\w+)\\[(\\d+)]");
    private static final int MAX_DIGITS = 9;

    private static final Map<String, AttributeType> PLAIN = Map.ofEntries(
            Map.entry("byte", AttributeType.BYTE),
            Map.entry("short", AttributeType.SHORT),
            Map.entry("smallint", AttributeType.SHORT),
            Map.entry("int", AttributeType.INT),
            Map.entry("integer", AttributeType.INT),
            Map.entry("long", AttributeType.LONG),
            Map.entry("bigint", AttributeType.LONG),
            Map.entry("float", AttributeType.FLOAT),
            Map.entry("real", AttributeType.FLOAT),
            Map.entry("double", AttributeType.DOUBLE),
            Map.entry("boolean", AttributeType.BOOLEAN),
            Map.entry("bool", AttributeType.BOOLEAN),
            Map.entry("char", AttributeType.CHAR),
            Map.entry("instant", AttributeType.INSTANT),
            Map.entry("timestamp", AttributeType.INSTANT),
            Map.entry("duration", AttributeType.DURATION),
            Map.entry("date", AttributeType.DATE),
            Map.entry("uuid", AttributeType.UUID),
            Map.entry("present", AttributeType.PRESENT));

    private static final Map<String, IntFunction<AttributeType>> SIZED = Map.ofEntries(
            Map.entry("text", AttributeType::string),
            Map.entry("string", AttributeType::string),
            Map.entry("varchar", AttributeType::string),
            Map.entry("bytes", AttributeType::bytes),
            Map.entry("binary", AttributeType::bytes),
            Map.entry("varstring", AttributeType::varstring),
            Map.entry("varbytes", AttributeType::varbytes),
            Map.entry("longstring", AttributeType::longstring),
            Map.entry("longbytes", AttributeType::longbytes),
            Map.entry("decimal", AttributeType::decimal),
            Map.entry("numeric", AttributeType::decimal));

    private final Cursor cursor;

    TypeParser(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Consumes the rest of a type whose first word is given. Null says that the cursor is before the first word. */
    AttributeType parse(String field, String first) {
        String type = first == null ? cursor.word("the type of '" + field + "'") : first;
        AttributeType found = type(field, complete(type));
        if (cursor.peek() != null && cursor.peek().text().equals("?")) {
            cursor.next();
            found = found.orNull();
        }
        return mayBeNull() ? found.orNull() : found;
    }

    /** Appends the tokens up to the bracket that closes {@code enum<A}: the commas between are marks of their own. */
    private String complete(String type) {
        StringBuilder text = new StringBuilder(type);
        while (count(text, '<') > count(text, '>')) {
            if (cursor.isAtEnd()) throw cursor.missing("'>' at the end of '" + text + "'");
            text.append(cursor.next().text());
        }
        return text.toString();
    }

    private static long count(CharSequence text, char mark) {
        return text.chars().filter(each -> each == mark).count();
    }

    /** Consumes {@code null} and {@code not null}. */
    private boolean mayBeNull() {
        LexToken next = cursor.peek();
        if (next == null || next.isQuoted()) return false;
        if (next.text().equalsIgnoreCase("null")) {
            cursor.next();
            return true;
        }
        if (!next.text().equalsIgnoreCase("not")) return false;
        cursor.next();
        if (!cursor.word("null behind 'not'").equalsIgnoreCase("null"))
            throw new StatementException("null is expected behind 'not'");
        return false;
    }

    private AttributeType type(String field, String text) {
        if (text.indexOf('<') >= 0) return AttributeType.parse(text);
        if (text.endsWith("?"))
            return type(field, text.substring(0, text.length() - 1)).orNull();
        String word = text.toLowerCase(Locale.ROOT);
        Matcher bracket = LENGTH.matcher(word);
        if (bracket.matches()) return sized(field, bracket.group(1), bracket.group(2));
        if (PLAIN.containsKey(word)) return PLAIN.get(word);
        if (!SIZED.containsKey(word)) throw unknown(field, text);
        cursor.expect('(', "and a length in bytes behind '" + text + "'");
        String length = cursor.value("a length").text();
        cursor.expect(')', "behind the length");
        return sized(field, word, length);
    }

    private AttributeType sized(String field, String word, String length) {
        if (!SIZED.containsKey(word)) throw unknown(field, word);
        return SIZED.get(word).apply((int) number(length));
    }

    private static StatementException unknown(String field, String type) {
        return new StatementException("unknown type '" + type + "' of '" + field
                + "'; known: byte short int long float double boolean char text(N) bytes(N)"
                + " varstring(N) varbytes(N) instant duration date uuid decimal(N) enum<A, B> list<TYPE>[N], each with"
                + " '?' if it may be null");
    }

    static long number(String text) {
        if (text.matches("\\d+") && text.length() <= MAX_DIGITS) return Long.parseLong(text);
        throw new StatementException("a number is expected, not '" + text + "'");
    }
}
