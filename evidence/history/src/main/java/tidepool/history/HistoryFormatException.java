package tidepool.history;

import java.io.IOException;

/** A file is not a history. The message is one readable sentence, beginning with file and line. */
public final class HistoryFormatException extends IOException {
    private static final long serialVersionUID = 1;

    private final long line;

    HistoryFormatException(String file, long line, String problem) {
        super(file + ":" + line + ": " + problem);
        this.line = line;
    }

    /** Returns the line, counted from 1. */
    public long line() {
        return line;
    }
}
