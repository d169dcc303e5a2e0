package tidepool.store;

/** The pool cannot do what was asked, and says why; nothing was changed. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of "no" it is. */
    public enum Reason {
        /** The pool, or the table, is laid out differently from what was asked for. */
        MISMATCH,
        /** No memory, table entry, coordinator or overflow bucket is left. */
        FULL,
        /** No such table. */
        UNKNOWN_TABLE,
        /** The memory does not hold what it should. */
        CORRUPT,
        /** Somebody else is at it and does not finish. */
        BUSY,
        /** Only another session may write there. */
        OWNED,
        /** Memory nodes are lost that held the last whole copy of something, or too few are there. */
        UNAVAILABLE
    }

    private final Reason reason;

    public StoreException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
