package tidepool.store;

/** A request that the pool refuses, with the reason. Nothing was changed. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The reasons for a refusal. */
    public enum Reason {
        /** The pool, or the table, is laid out differently from what was asked for. */
        MISMATCH,
        /** No memory, table entry, coordinator or overflow bucket is left. */
        FULL,
        /** No such table. */
        UNKNOWN_TABLE,
        /** The memory does not hold valid data. */
        CORRUPT,
        /** Another session is doing this work and does not finish. */
        BUSY,
        /** Only another session may write there. */
        OWNED,
        /** The lost memory nodes held the last whole copy of a partition, or too few nodes are there. */
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
