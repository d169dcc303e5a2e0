package tidepool.cli.shell;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Type;

/**
 * Understands what follows {@code create TABLE}. Types have the names of the schema, and those that people know from
 * elsewhere; {@code balance:long} and {@code owner:string[32]} are understood too, because the documents
 * write so.
 */
final class CreateParser {
    private static final Pattern LENGTH = Pattern.compile("(\\w+)\\[(\\d+)]");
    private static final long ROWS = 1000;
    private static final int MOST_DIGITS = 9;

    private static final Map<String, Type> PLAIN = Map.ofEntries(
            Map.entry("byte", Type.BYTE),
            Map.entry("short", Type.SHORT),
            Map.entry("smallint", Type.SHORT),
            Map.entry("int", Type.INT),
            Map.entry("integer", Type.INT),
            Map.entry("long", Type.LONG),
            Map.entry("bigint", Type.LONG),
            Map.entry("float", Type.FLOAT),
            Map.entry("real", Type.FLOAT),
            Map.entry("double", Type.DOUBLE),
            Map.entry("boolean", Type.BOOLEAN),
            Map.entry("bool", Type.BOOLEAN),
            Map.entry("char", Type.CHAR));

    private static final Map<String, Type.Kind> SIZED = Map.of(
            "text", Type.Kind.STRING,
            "string", Type.Kind.STRING,
            "varchar", Type.Kind.STRING,
            "bytes", Type.Kind.BYTES,
            "binary", Type.Kind.BYTES);

    private final Cursor cursor;
    private final Schema.Builder builder;
    private String keyName;

    private CreateParser(Cursor cursor, Schema.Builder builder) {
        this.cursor = cursor;
        this.builder = builder;
    }

    static Statement parse(String table, Cursor cursor) {
        try {
            return new CreateParser(cursor, Schema.builder(table)).create();
        } catch (IllegalArgumentException e) {
            throw new Refused(e.getMessage());
        }
    }

    private Statement create() {
        cursor.expect('(', "behind the name of the table");
        do column();
        while (cursor.accept(','));
        cursor.expect(')', "or ',' behind a field");
        long rows = ROWS;
        if (!cursor.isAtEnd()) {
            String word = cursor.word("rows");
            if (!word.equalsIgnoreCase("rows")) throw new Refused("rows is expected, not '" + word + "'");
            cursor.accept('=');
            rows = number(cursor.value("a number of rows").text());
        }
        return new Statement.Create(builder.build(), keyName, rows);
    }

    private void column() {
        String name = cursor.word("the name of a field");
        String type = null;
        int colon = name.indexOf(':');
        if (colon >= 0) {
            type = name.substring(colon + 1).isEmpty() ? null : name.substring(colon + 1);
            name = name.substring(0, colon);
        }
        if (type == null) type = cursor.word("the type of '" + name + "'");
        Type found = type(name, type);
        if (isKey()) key(name, found);
        else builder.attribute(name, found);
    }

    private boolean isKey() {
        Token next = cursor.peek();
        if (next == null || !next.isWord()) return false;
        String word = cursor.word("key").toLowerCase(Locale.ROOT);
        if (word.equals("primary")) word = cursor.word("key").toLowerCase(Locale.ROOT);
        if (word.equals("key")) return true;
        if (word.equals("not") || word.equals("null"))
            throw new Refused("there are no nulls, so nothing is to be said about them");
        throw new Refused("key, ',' or ')' is expected, not '" + word + "'");
    }

    private void key(String name, Type type) {
        if (keyName != null)
            throw new Refused("'" + name + "' is a second key, after '" + keyName
                    + "'; a key is one 64-bit number, and parts are packed into it: help get");
        if (type != Type.LONG && type != Type.INT)
            throw new Refused("key '" + name + "' is " + Values.type(type) + "; a key is a long");
        keyName = name;
    }

    private Type type(String field, String text) {
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

    private Type sized(String field, String word, String length) {
        if (!SIZED.containsKey(word)) throw unknown(field, word);
        return new Type(SIZED.get(word), (int) number(length));
    }

    private static Refused unknown(String field, String type) {
        return new Refused("unknown type '" + type + "' of '" + field
                + "'; known: byte short int long float double boolean char text(N) bytes(N)");
    }

    private static long number(String text) {
        if (text.matches("\\d+") && text.length() <= MOST_DIGITS) return Long.parseLong(text);
        throw new Refused("a number is expected, not '" + text + "'");
    }
}
