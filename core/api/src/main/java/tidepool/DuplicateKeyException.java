package tidepool;

/** A key that was to be inserted exists already. The transaction did not happen. */
public final class DuplicateKeyException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    DuplicateKeyException(String message) {
        super(message);
    }
}
