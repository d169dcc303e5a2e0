package tidepool.memory;

/** A control call that the memory node refused or could not execute. It changed nothing. */
public final class MemoryNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The cause of the refusal. */
    public enum Reason {
        /** No such region, or it was freed. */
        KEY,
        /** No free memory, region entry or session slot is left. */
        FULL,
        /** An argument that makes no sense here. */
        ARGUMENT,
        /** The node's own memory is damaged, foreign, or of another version. */
        CORRUPT,
        /** Another session holds the control lock and does not release it. */
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
