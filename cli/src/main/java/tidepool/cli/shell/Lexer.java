package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a line into words and marks. Words are separated by blanks and by {@code ( ) , = ;}; one with any of these in it is
 * written in single or double quotes, where {@code \n \t \\ \' \"} and {@code \}{@code u00e9} mean what they mean in
 * Java. A {@code #} or {@code --} where a word could begin makes the rest of the line a comment.
 */
final class Lexer {
    private static final String MARKS = "(),=;";

    private final String line;
    private final boolean lenient;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String line, boolean lenient) {
        this.line = line;
        this.lenient = lenient;
    }

    /** The tokens of a whole line. */
    static List<Token> tokens(String line) {
        return new Lexer(line, false).all();
    }

    /** The same for a line that is being typed: a quote that is still open ends with the line. */
    static List<Token> soFar(String line) {
        return new Lexer(line, true).all();
    }

    /** Statements are separated by {@code ;}; empty ones are left out. */
    static List<List<Token>> statements(String line) {
        List<List<Token>> statements = new ArrayList<>();
        List<Token> current = new ArrayList<>();
        for (Token token : tokens(line)) {
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

    private List<Token> all() {
        while (true) {
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) at++;
            if (at == line.length() || isComment()) return tokens;
            char c = line.charAt(at);
            if (MARKS.indexOf(c) >= 0) tokens.add(new Token(String.valueOf(c), Token.Kind.MARK, at, ++at));
            else if (c == '\'' || c == '"') tokens.add(quoted(c));
            else tokens.add(word());
        }
    }

    private boolean isComment() {
        return line.charAt(at) == '#'
                || line.startsWith("--", at) && (at + 2 == line.length() || line.charAt(at + 2) == ' ');
    }

    private Token word() {
        int start = at;
        while (at < line.length() && !endsWord(line.charAt(at))) at++;
        return new Token(line.substring(start, at), Token.Kind.WORD, start, at);
    }

    private static boolean endsWord(char c) {
        return Character.isWhitespace(c) || MARKS.indexOf(c) >= 0 || c == '\'' || c == '"';
    }

    private Token quoted(char quote) {
        int start = at++;
        StringBuilder text = new StringBuilder();
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == quote) return new Token(text.toString(), Token.Kind.QUOTED, start, at);
            text.append(c == '\\' && at < line.length() ? escaped() : c);
        }
        if (lenient) return new Token(text.toString(), Token.Kind.QUOTED, start, at);
        throw new Refused("the quote is not closed: " + line.substring(start));
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
                throw new Refused("unknown escape \\" + c + "; known: \\n \\t \\r \\0 \\\\ \\' \\\" \\u00e9");
            }
        };
    }

    private char unicode() {
        String digits = line.substring(at, Math.min(line.length(), at + 4));
        at += digits.length();
        if (digits.matches("[0-9a-fA-F]{4}")) return (char) Integer.parseInt(digits, 16);
        if (lenient) return '?';
        throw new Refused("\\u takes four hexadecimal digits, not '" + digits + "'");
    }
}
