package tidepool;

import tidepool.protocol.AbortReason;

/** Others stood in the way until the time was up. The transaction did not happen. */
public final class ConflictException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    private final AbortReason reason;
    private final int attempts;

    ConflictException(AbortReason reason, int attempts) {
        super("the transaction met others on every try: attempts=" + attempts + " lastReason=" + reason);
        this.reason = reason;
        this.attempts = attempts;
    }

    /** Why the last attempt was aborted. */
    public AbortReason reason() {
        return reason;
    }

    public int attempts() {
        return attempts;
    }
}
