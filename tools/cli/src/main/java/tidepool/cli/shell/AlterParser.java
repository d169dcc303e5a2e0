package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.List;
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
                if (isIndex()) {
                    addIndex();
                    return;
                }
                String field = field();
                AttributeType type = new TypeParser(cursor).parse(field, null);
                if (hasDefault()) change.add(field, type, value(field));
                else change.add(field, type);
            }
            case "drop" -> {
                if (isWord("index", 0) && isName(1)) {
                    cursor.next();
                    change.dropIndex(indexName());
                    return;
                }
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

    // ---- indexes; index, unique and order may be names of fields, which have types or defaults after them

    private boolean isIndex() {
        if (isWord("order", 0)) return cursor.peek(1) == null || cursor.peek(1).is(',');
        boolean hasColumns =
                isName(1) && cursor.peek(2) != null && cursor.peek(2).is('(') && isName(3);
        return hasColumns && (isWord("index", 0) || isWord("unique", 0));
    }

    private boolean isWord(String word, int further) {
        return isName(further) && cursor.peek(further).text().equalsIgnoreCase(word);
    }

    /** Whether a token may be a name, and is no number as in {@code text(8)}. */
    private boolean isName(int further) {
        LexToken token = cursor.peek(further);
        return token != null
                && token.isWord()
                && !token.isQuoted()
                && !Character.isDigit(token.text().charAt(0));
    }

    private void addIndex() {
        String kind = cursor.next().text().toLowerCase(Locale.ROOT);
        if (kind.equals("order")) {
            change.addOrder();
            return;
        }
        String name = indexName();
        List<String> columns = new ArrayList<>();
        cursor.expect('(', "and the columns of '" + name + "'");
        do columns.add(cursor.word("a column of '" + name + "'"));
        while (cursor.accept(','));
        cursor.expect(')', "behind the columns of '" + name + "'");
        if (kind.equals("unique")) change.addUnique(name, columns.toArray(String[]::new));
        else change.addIndex(name, columns.toArray(String[]::new));
    }

    private String indexName() {
        return cursor.word("the name of an index");
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
