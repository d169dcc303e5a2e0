package tidepool;

/** A value was asked for, and there is none under this key. The transaction did not happen. */
public final class NotFoundException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    NotFoundException(String message) {
        super(message);
    }
}
