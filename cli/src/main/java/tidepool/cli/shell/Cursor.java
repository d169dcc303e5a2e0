package tidepool.cli.shell;

import java.util.List;

/** Walks over the tokens of one statement; what is missing is said together with how the statement is written. */
final class Cursor {
    private final List<Token> tokens;
    private String usage = "";
    private int at;

    Cursor(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** What to say behind every complaint. */
    void otherwise(String sentence) {
        usage = "; " + sentence;
    }

    boolean isAtEnd() {
        return at == tokens.size();
    }

    /** The next one, which is left where it is; null at the end. */
    Token peek() {
        return isAtEnd() ? null : tokens.get(at);
    }

    Token next() {
        return tokens.get(at++);
    }

    /** A word that is a name, not text in quotes. */
    String word(String what) {
        if (isAtEnd() || !peek().isWord() || peek().isQuoted()) throw missing(what);
        return next().text();
    }

    /** A word, quoted or not. */
    Token value(String what) {
        if (isAtEnd() || !peek().isWord()) throw missing(what);
        return next();
    }

    boolean accept(char mark) {
        if (isAtEnd() || !peek().is(mark)) return false;
        at++;
        return true;
    }

    void expect(char mark, String where) {
        if (!accept(mark)) throw missing("'" + mark + "' " + where);
    }

    void end() {
        if (!isAtEnd()) throw new Refused("nothing is expected from '" + peek().text() + "' on" + usage);
    }

    Refused missing(String what) {
        return new Refused(what + " is expected" + (isAtEnd() ? "" : ", not '" + peek().text() + "'") + usage);
    }
}
