package tidepool.protocol;

/** Thrown when a transaction exceeds what its coordinator or its log can hold; it was rolled back. */
public final class TxnTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TxnTooLargeException(String message) {
        super(message);
    }
}
