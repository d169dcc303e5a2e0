package tidepool.cli.shell;

/**
 * A piece of a line: a word, or one of the marks {@code ( ) , = ;}.
 *
 * @param text the word without its quotation marks, or the mark
 * @param kind what it is
 * @param start where it begins in the line
 * @param end behind its last character
 */
record Token(String text, Kind kind, int start, int end) {
    /** Quoted words are text and nothing else: {@code 'null'} is four letters. */
    enum Kind {
        WORD,
        QUOTED,
        MARK
    }

    boolean is(char mark) {
        return kind == Kind.MARK && text.charAt(0) == mark;
    }

    boolean isWord() {
        return kind != Kind.MARK;
    }

    boolean isQuoted() {
        return kind == Kind.QUOTED;
    }
}
