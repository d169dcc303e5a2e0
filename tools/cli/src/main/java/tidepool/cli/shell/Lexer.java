package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a line into words and marks. Words are separated by blanks and by {@code ( ) , = ;}. A word that contains one
 * of these is written in single or double quotes, where {@code \n \t \\ \' \"} and {@code \}{@code u00e9} have their
 * Java meaning. A list in brackets and a record in braces are one word. A {@code #} or {@code --} where a word could
 * begin makes the rest of the line a comment.
 */
final class Lexer {
    private static final String MARKS = "(),=;";

    private final String line;
    private final boolean lenient;
    private final List<LexToken> tokens = new ArrayList<>();
    private int at;

    private Lexer(String line, boolean lenient) {
        this.line = line;
        this.lenient = lenient;
    }

    /** Returns the tokens of a whole line. */
    static List<LexToken> tokens(String line) {
        return new Lexer(line, false).all();
    }

    /** Returns the tokens of a line that is being typed: a quote that is still open ends with the line. */
    static List<LexToken> soFar(String line) {
        return new Lexer(line, true).all();
    }

    /** Returns the statements of a line, which are separated by {@code ;}. Empty ones are left out. */
    static List<List<LexToken>> statements(String line) {
        List<List<LexToken>> statements = new ArrayList<>();
        List<LexToken> current = new ArrayList<>();
        for (LexToken token : tokens(line)) {
            if (!token.is(';')) {
                current.add(token);
            } else if (!current.isEmpty()) {
                statements.add(current);
                current = new ArrayList<>();
            }
        }
        if (!current.isEmpty()) statements.add(current);
        return statements;
    }

    private List<LexToken> all() {
        while (true) {
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) at++;
            if (at == line.length() || isComment()) return tokens;
            char c = line.charAt(at);
            if (MARKS.indexOf(c) >= 0) tokens.add(new LexToken(String.valueOf(c), LexToken.Kind.MARK, at, ++at));
            else if (c == '\'' || c == '"') tokens.add(quoted(c));
            else if (c == '[' || c == '{') tokens.add(bracketed());
            else tokens.add(word());
        }
    }

    private boolean isComment() {
        return line.charAt(at) == '#'
                || line.startsWith("--", at) && (at + 2 == line.length() || line.charAt(at + 2) == ' ');
    }

    private LexToken word() {
        int start = at;
        while (at < line.length() && !endsWord(line.charAt(at))) at++;
        return new LexToken(line.substring(start, at), LexToken.Kind.WORD, start, at);
    }

    /** Returns a list or record as one word, with its brackets and all that is between them. */
    private LexToken bracketed() {
        int start = at;
        int open = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '\'' || c == '"') {
                quoted(c);
                continue;
            }
            at++;
            if (c == '[' || c == '{') open++;
            if ((c == ']' || c == '}') && --open == 0) break;
        }
        if (open > 0 && !lenient) throw new StatementException("the bracket is not closed: " + line.substring(start));
        return new LexToken(line.substring(start, at), LexToken.Kind.WORD, start, at);
    }

    private static boolean endsWord(char c) {
        return Character.isWhitespace(c) || MARKS.indexOf(c) >= 0 || c == '\'' || c == '"';
    }

    private LexToken quoted(char quote) {
        int start = at++;
        StringBuilder text = new StringBuilder();
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == quote) return new LexToken(text.toString(), LexToken.Kind.QUOTED, start, at);
            text.append(c == '\\' && at < line.length() ? escaped() : c);
        }
        if (lenient) return new LexToken(text.toString(), LexToken.Kind.QUOTED, start, at);
        throw new StatementException("the quote is not closed: " + line.substring(start));
    }

    private char escaped() {
        char c = line.charAt(at++);
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case '0' -> '\0';
            case '\\', '\'', '"' -> c;
            case 'u' -> unicode();
            default -> {
                if (lenient) yield c;
                throw new StatementException(
                        "unknown escape \\" + c + "; known: \\n \\t \\r \\0 \\\\ \\' \\\" \\u00e9");
            }
        };
    }

    private char unicode() {
        String digits = line.substring(at, Math.min(line.length(), at + 4));
        at += digits.length();
        if (digits.matches("[0-9a-fA-F]{4}")) return (char) Integer.parseInt(digits, 16);
        if (lenient) return '?';
        throw new StatementException("\\u takes four hexadecimal digits, not '" + digits + "'");
    }
}
