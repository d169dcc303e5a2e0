package tidepool.protocol;

/** A transaction that touches more than its coordinator or its log can hold; it was rolled back. */
public final class TransactionTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TransactionTooLargeException(String message) {
        super(message);
    }
}
