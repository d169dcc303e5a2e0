package tidepool.history;

import java.io.IOException;

/** A file is not a history. The message is one readable sentence, beginning with file and line. */
public final class HistoryFormatException extends IOException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final long line;

    HistoryFormatException(String file, long line, String problem) {
        super(file + ":" + line + ": " + problem);
        this.file = file;
        this.line = line;
    }

    /** Returns the name of the file in which the problem lies, as it was given. */
    public String file() {
        return file;
    }

    /** Returns the line, counted from 1. */
    public long line() {
        return line;
    }
}
