package tidepool.cli.shell;

import java.util.List;

/** A cursor over the tokens of one statement. An error about a missing token includes the usage of the statement. */
final class Cursor {
    private final List<LexToken> tokens;
    private String usage = "";
    private int at;

    Cursor(List<LexToken> tokens) {
        this.tokens = tokens;
    }

    /** Sets the text that is appended to every error. */
    void otherwise(String sentence) {
        usage = "; " + sentence;
    }

    boolean isAtEnd() {
        return at == tokens.size();
    }

    /** Returns the next token without consuming it; null at the end. */
    LexToken peek() {
        return isAtEnd() ? null : tokens.get(at);
    }

    /** Returns a token after the next one without consuming it; null after the end. */
    LexToken peek(int further) {
        return at + further < tokens.size() ? tokens.get(at + further) : null;
    }

    LexToken next() {
        return tokens.get(at++);
    }

    /** Consumes a word that is a name, not text in quotes. */
    String word(String what) {
        if (isAtEnd() || !peek().isWord() || peek().isQuoted()) throw missing(what);
        return next().text();
    }

    /** Consumes a word, quoted or not. */
    LexToken value(String what) {
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
        if (!isAtEnd()) throw new StatementException("nothing is expected from '" + peek().text() + "' on" + usage);
    }

    StatementException missing(String what) {
        return new StatementException(
                what + " is expected" + (isAtEnd() ? "" : ", not '" + peek().text() + "'") + usage);
    }
}
