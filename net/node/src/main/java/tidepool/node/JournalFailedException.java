package tidepool.node;

/**
 * Thrown when the journal's disk has failed. It ends the node: data that was not forced may be lost, even if a second
 * force would succeed.
 */
public final class JournalFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JournalFailedException(Throwable cause) {
        super("the journal failed, and nothing that was not kept may be believed: " + cause, cause);
    }
}
