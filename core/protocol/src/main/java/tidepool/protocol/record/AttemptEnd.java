package tidepool.protocol.record;

import tidepool.txn.AbortReason;

/** Thrown inside an attempt that cannot go on, from where it cannot return a value; the transaction catches it. */
final class AttemptEnd extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The transaction object is too small for this attempt. */
    static final AttemptEnd NEEDS_ROOM = new AttemptEnd(AbortReason.NEEDS_ROOM);

    /** Other coordinators hold too many blocks of the log heap. */
    static final AttemptEnd LOG_HEAP_BUSY = new AttemptEnd(AbortReason.LOG_HEAP_BUSY);

    final AbortReason reason;

    private AttemptEnd(AbortReason reason) {
        super(reason.name(), null, false, false);
        this.reason = reason;
    }
}
