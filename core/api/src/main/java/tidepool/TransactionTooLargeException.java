package tidepool;

/** The transaction touches more than a coordinator or its log can hold. It did not happen. */
public final class TransactionTooLargeException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    TransactionTooLargeException(String message) {
        super(message);
    }
}
