package tidepool.protocol;

/** Thrown when a session has used all of its transaction ids; nothing was begun. */
public final class TxnIdsExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TxnIdsExhaustedException(String message) {
        super(message);
    }
}
