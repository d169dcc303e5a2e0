package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tidepool.cli.shell.Statement.Assignment;
import tidepool.cli.shell.Statement.TypedKey;

/**
 * Parser of one statement. Commands and the words {@code key}, {@code rows}, {@code limit}, {@code readonly} may be in
 * any case.
 */
final class StatementParser {
    private final String command;
    private final Cursor cursor;

    private StatementParser(List<LexToken> tokens) {
        cursor = new Cursor(tokens);
        LexToken first = cursor.next();
        if (!first.isWord() || first.isQuoted())
            throw new StatementException("a command is expected, not '" + first.text() + "'; type help");
        command = ShellCommands.command(first.text());
        cursor.otherwise("write: " + ShellCommands.usage(command));
    }

    /** @param tokens at least one */
    static Statement parse(List<LexToken> tokens) {
        StatementParser parser = new StatementParser(tokens);
        Statement statement = parser.statement();
        parser.cursor.end();
        return statement;
    }

    private Statement statement() {
        return switch (command) {
            case "tables" -> new Statement.Tables();
            case "describe" -> new Statement.Describe(table());
            case "create" -> CreateParser.parse(table(), cursor);
            case "drop" -> new Statement.Drop(confirmed("drops the table with all its records"));
            case "truncate" -> new Statement.Truncate(confirmed("deletes all records of the table"));
            case "rename" -> rename();
            case "alter" -> AlterParser.parse(table(), cursor);
            case "count" -> new Statement.Count(table());
            case "get" -> new Statement.Get(table(), keys());
            case "rows" -> rows();
            case "scan" -> ScanParser.parse(table(), cursor);
            case "put" -> write(Statement.Kind.PUT);
            case "insert" -> write(Statement.Kind.INSERT);
            case "update" -> write(Statement.Kind.UPDATE);
            case "delete" -> new Statement.Delete(table(), KeyText.parse(cursor));
            case "begin" -> begin();
            case "commit" -> new Statement.Commit();
            case "rollback" -> new Statement.Rollback();
            case "status" -> new Statement.Status();
            case "timing" -> timing();
            case "help" -> new Statement.Help(cursor.isAtEnd() ? null : cursor.word("a command"));
            default -> new Statement.Quit();
        };
    }

    private String table() {
        return cursor.word("the name of a table");
    }

    /** Parses the name of a table and the word without which nothing is deleted. */
    private String confirmed(String what) {
        String table = table();
        String yes = cursor.isAtEnd() ? "" : cursor.word("yes").toLowerCase(Locale.ROOT);
        if (yes.equals("yes")) return table;
        throw new StatementException(
                "this " + what + ", and nothing brings them back; to do it, type " + command + " " + table + " yes");
    }

    private Statement rename() {
        String table = table();
        String to = cursor.word("to NAME");
        if (!to.toLowerCase(Locale.ROOT).equals("to"))
            throw new StatementException("rename takes to NAME, not '" + to + "'");
        return new Statement.Rename(table, cursor.word("the new name of the table"));
    }

    private List<TypedKey> keys() {
        List<TypedKey> keys = new ArrayList<>();
        do keys.add(KeyText.parse(cursor));
        while (!cursor.isAtEnd());
        return keys;
    }

    private Statement rows() {
        String table = table();
        if (cursor.isAtEnd()) return new Statement.Rows(table, ShellRows.LIMIT);
        String word = cursor.word("limit N").toLowerCase(Locale.ROOT);
        if (!word.equals("limit")) throw new StatementException("rows takes limit N or nothing, not '" + word + "'");
        return new Statement.Rows(table, limit(cursor));
    }

    /** Parses the number after {@code limit}. */
    static long limit(Cursor cursor) {
        String number = cursor.value("a number of rows").text();
        try {
            long limit = FieldText.whole(number);
            if (limit >= 1) return limit;
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new StatementException("limit takes a number of rows from 1 on, not '" + number + "'");
    }

    private Statement write(Statement.Kind kind) {
        String table = table();
        TypedKey key = KeyText.parse(cursor);
        List<Assignment> assignments = new ArrayList<>();
        while (!cursor.isAtEnd()) {
            if (!assignments.isEmpty()) cursor.accept(','); // commas between fields are allowed
            String field = cursor.word("FIELD=VALUE");
            cursor.expect('=', "behind '" + field + "'");
            if (assignments.stream().anyMatch(each -> each.field().equals(field)))
                throw new StatementException("field '" + field + "' is given twice");
            assignments.add(new Assignment(field, cursor.value("a value behind '" + field + "='")));
        }
        if (assignments.isEmpty() && kind == Statement.Kind.UPDATE) throw cursor.missing("FIELD=VALUE");
        return new Statement.Write(kind, table, key, List.copyOf(assignments));
    }

    private Statement begin() {
        if (cursor.isAtEnd()) return new Statement.Begin(false);
        String how = cursor.word("readonly").toLowerCase(Locale.ROOT);
        if (how.equals("read")) how += cursor.word("only").toLowerCase(Locale.ROOT);
        if (how.equals("readonly") || how.equals("read-only")) return new Statement.Begin(true);
        if (how.equals("transaction")) return begin();
        throw new StatementException("begin takes readonly or nothing, not '" + how + "'");
    }

    private Statement timing() {
        if (cursor.isAtEnd()) return new Statement.Timing(null);
        String how = cursor.word("on or off").toLowerCase(Locale.ROOT);
        if (how.equals("on") || how.equals("off")) return new Statement.Timing(how.equals("on"));
        throw new StatementException("timing takes on or off, not '" + how + "'");
    }
}
