package tidepool.cli.shell;

import java.util.Locale;
import tidepool.cli.shell.Statement.TypedKey;

/** Parser of the text after {@code scan TABLE}: index, bounds, order and limit, each at most once, in any order. */
final class ScanParser {
    private final Cursor cursor;
    private String index;
    private TypedKey from;
    private boolean isFromExclusive;
    private TypedKey to;
    private boolean isToInclusive;
    private boolean isReversed;
    private long limit;

    private ScanParser(Cursor cursor) {
        this.cursor = cursor;
    }

    static Statement parse(String table, Cursor cursor) {
        ScanParser parser = new ScanParser(cursor);
        while (!cursor.isAtEnd()) parser.part();
        return new Statement.Scan(
                table,
                parser.index,
                parser.from,
                parser.isFromExclusive,
                parser.to,
                parser.isToInclusive,
                parser.isReversed,
                parser.limit == 0 ? ShellRows.LIMIT : parser.limit);
    }

    private void part() {
        String word = cursor.word("by, of, from, after, to, through, reversed or limit");
        switch (word.toLowerCase(Locale.ROOT)) {
            case "by" -> {
                requireFirst(index == null, word);
                index = cursor.word("the name of an index");
            }
            case "of" -> {
                from(word, false);
                requireFirst(to == null, word);
                to = from;
                isToInclusive = true;
            }
            case "from" -> from(word, false);
            case "after" -> from(word, true);
            case "to" -> to(word, false);
            case "through" -> to(word, true);
            case "reversed" -> {
                requireFirst(!isReversed, word);
                isReversed = true;
            }
            case "limit" -> {
                requireFirst(limit == 0, word);
                limit = StatementParser.limit(cursor);
            }
            default ->
                throw new StatementException("scan takes by, of, from, after, to, through, reversed and limit, not '"
                        + word + "'; write: " + ShellCommands.usage("scan"));
        }
    }

    private void from(String word, boolean isExclusive) {
        requireFirst(from == null, word);
        from = KeyText.parse(cursor);
        isFromExclusive = isExclusive;
    }

    private void to(String word, boolean isInclusive) {
        requireFirst(to == null, word);
        to = KeyText.parse(cursor);
        isToInclusive = isInclusive;
    }

    private static void requireFirst(boolean isFirst, String word) {
        if (!isFirst) throw new StatementException("'" + word + "' says again what was said before");
    }
}
