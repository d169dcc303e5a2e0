package tidepool.memory;

/** A control call that the memory node could not carry out; nothing was changed. */
public final class MemoryNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What stood in the way. */
    public enum Reason {
        /** No such region, or it was freed. */
        KEY,
        /** No free memory, region entry or session slot is left. */
        FULL,
        /** An argument that makes no sense here. */
        ARGUMENT,
        /** The node's own memory is damaged, foreign, or of another version. */
        CORRUPT,
        /** Somebody else holds the control lock and does not let go. */
        BUSY
    }

    private final Reason reason;

    public MemoryNodeException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
