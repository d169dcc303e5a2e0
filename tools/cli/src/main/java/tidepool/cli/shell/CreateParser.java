package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;

/**
 * Parser of the text after {@code create TABLE}. It also accepts {@code balance:long} and {@code owner:string[32]}, the
 * notation of the documents.
 */
final class CreateParser {
    private static final long ROWS = 1000;

    private final Cursor cursor;
    private final Schema.Builder builder;
    private final List<String> keyNames = new ArrayList<>();

    private CreateParser(Cursor cursor, Schema.Builder builder) {
        this.cursor = cursor;
        this.builder = builder;
    }

    static Statement parse(String table, Cursor cursor) {
        try {
            return new CreateParser(cursor, Schema.builder(table)).create();
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage());
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
            if (!word.equalsIgnoreCase("rows")) throw new StatementException("rows is expected, not '" + word + "'");
            cursor.accept('=');
            rows = TypeParser.number(cursor.value("a number of rows").text());
        }
        Schema schema = builder.build();
        String notKept = schema.key().isLong() && !keyNames.isEmpty() ? keyNames.getFirst() : null;
        return new Statement.Create(schema, notKept, rows);
    }

    private void column() {
        String name = cursor.word("the name of a field");
        String type = null;
        int colon = name.indexOf(':');
        if (colon >= 0) {
            type = name.substring(colon + 1).isEmpty() ? null : name.substring(colon + 1);
            name = name.substring(0, colon);
        }
        AttributeType found = new TypeParser(cursor).parse(name, type);
        if (isKey()) key(name, found);
        else builder.attribute(name, found);
    }

    private boolean isKey() {
        LexToken next = cursor.peek();
        if (next == null || !next.isWord()) return false;
        String word = cursor.word("key").toLowerCase(Locale.ROOT);
        if (word.equals("primary")) word = cursor.word("key").toLowerCase(Locale.ROOT);
        if (word.equals("key")) return true;
        throw new StatementException("key, ',' or ')' is expected, not '" + word + "'");
    }

    private void key(String name, AttributeType type) {
        keyNames.add(name);
        builder.key(name, type);
    }
}
