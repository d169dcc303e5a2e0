package tidepool.protocol.ordered;

/** A row would have the same values of unique columns as another row. Nothing of the transaction has happened. */
public final class UniqueViolationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UniqueViolationException(String message) {
        super(message);
    }
}
