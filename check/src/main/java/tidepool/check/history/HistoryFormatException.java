package tidepool.check.history;

import java.io.IOException;

/** A file is not a history. The message is one sentence for a person, beginning with file and line. */
public final class HistoryFormatException extends IOException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final long line;

    HistoryFormatException(String file, long line, String problem) {
        super(file + ":" + line + ": " + problem);
        this.file = file;
        this.line = line;
    }

    /** The file in which the problem lies, as it was named. */
    public String file() {
        return file;
    }

    /** The line, counted from 1. */
    public long line() {
        return line;
    }
}
