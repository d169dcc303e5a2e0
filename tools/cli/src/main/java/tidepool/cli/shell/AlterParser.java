package tidepool.cli.shell;

import java.util.Locale;
import tidepool.schema.AttributeType;
import tidepool.schema.SchemaChange;

/** Parser of the text after {@code alter TABLE}: steps with commas between them, or nothing. */
final class AlterParser {
    private final Cursor cursor;
    private final SchemaChange change = new SchemaChange();

    private AlterParser(Cursor cursor) {
        this.cursor = cursor;
    }

    static Statement parse(String table, Cursor cursor) {
        try {
            return new AlterParser(cursor).alter(table);
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage());
        }
    }

    private Statement alter(String table) {
        if (cursor.isAtEnd()) return new Statement.Alter(table, change);
        do step();
        while (cursor.accept(','));
        return new Statement.Alter(table, change);
    }

    private void step() {
        String word = cursor.word("add, drop or widen");
        switch (word.toLowerCase(Locale.ROOT)) {
            case "add" -> {
                String field = field();
                AttributeType type = new TypeParser(cursor).parse(field, null);
                if (hasDefault()) change.add(field, type, value(field));
                else change.add(field, type);
            }
            case "drop" -> {
                String field = field();
                if (hasDefault()) change.drop(field, value(field));
                else change.drop(field);
            }
            case "widen" -> {
                String field = field();
                change.widen(field, new TypeParser(cursor).parse(field, null));
            }
            default -> throw new StatementException("alter takes add, drop or widen, not '" + word + "'");
        }
    }

    private String field() {
        return cursor.word("the name of a field");
    }

    private boolean hasDefault() {
        return !cursor.isAtEnd() && !cursor.peek().is(',');
    }

    private String value(String field) {
        return cursor.value("the default of '" + field + "'").text();
    }
}
