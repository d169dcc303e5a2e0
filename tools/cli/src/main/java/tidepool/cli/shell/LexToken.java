package tidepool.cli.shell;

/**
 * A token of a line: a word, or one of the marks {@code ( ) , = ;}.
 *
 * @param text the word without its quotation marks, or the mark
 * @param kind the kind of token
 * @param start the index of its first character in the line
 * @param end the index after its last character
 */
record LexToken(String text, Kind kind, int start, int end) {
    /** The kind of a token. A quoted word is always text: {@code 'null'} is four letters. */
    enum Kind {
        WORD,
        QUOTED,
        MARK
    }

    /** Returns the token of a text that was given in quotation marks. */
    static LexToken quoted(String text) {
        return new LexToken(text, Kind.QUOTED, 0, text.length());
    }

    boolean is(char mark) {
        return kind == Kind.MARK && text.charAt(0) == mark;
    }

    boolean isWord() {
        return kind != Kind.MARK;
    }

    /** Returns the token as it can be typed. */
    String shown() {
        return isQuoted() ? "'" + text + "'" : text;
    }

    boolean isQuoted() {
        return kind == Kind.QUOTED;
    }
}
