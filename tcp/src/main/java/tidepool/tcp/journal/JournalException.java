package tidepool.tcp.journal;

/** Files of a journal that are not taken, and why, in a sentence that names the file. */
public final class JournalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Reason {
        /** Of another node, or a copy of which nobody knows whether it is the newest. */
        FOREIGN,
        /** Something that was there is not: a file, or the end of the journal. */
        MISSING,
        /** Bytes are not those that were written. */
        DAMAGED,
        /** Of a version that this program does not know. */
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
                        + "; set the folder aside, start the node with an empty one and let the pool fill it from replicas,"
                        + " or bring back a backup");
    }

    static JournalException missing(String path, String what) {
        return new JournalException(
                Reason.MISSING,
                what + ": " + path + "; what is left is older than what clients were told, and is not served: bring the"
                        + " file back, or set the folder aside and start the node with an empty one");
    }
}
