package tidepool.protocol;

/** A session has no transaction id left that it has not used; nothing was begun. */
public final class IdsUsedUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public IdsUsedUpException(String message) {
        super(message);
    }
}
