package tidepool;

/** The pool was closed. The transaction did not happen. */
public final class PoolClosedException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    PoolClosedException(String message) {
        super(message);
    }
}
