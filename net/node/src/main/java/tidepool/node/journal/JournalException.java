package tidepool.node.journal;

/** Thrown when files of a journal are refused. The message says why and names the file. */
public final class JournalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kind of fault. */
    public enum Reason {
        /** The files are of another node, or a copy that may not be the newest. */
        FOREIGN,
        /** A file, or the end of the journal, is gone. */
        MISSING,
        /** Bytes are not those that were written. */
        DAMAGED,
        /** The format has a newer version than this program knows. */
        NEWER,
        /** The disk failed. */
        FAILED
    }

    private final Reason reason;

    public JournalException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public JournalException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    static JournalException damaged(String path, long at, String what) {
        return new JournalException(
                Reason.DAMAGED,
                "the journal is damaged and is not served: " + what + " at offset " + at + " of " + path
                        + "; set the folder aside, start the node with an empty one and let the pool fill it from"
                        + " replicas, or bring back a backup");
    }

    static JournalException missing(String path, String what) {
        return new JournalException(
                Reason.MISSING,
                what + ": " + path + "; what is left is older than what clients were told, and is not served: bring the"
                        + " file back, or set the folder aside and start the node with an empty one");
    }
}
