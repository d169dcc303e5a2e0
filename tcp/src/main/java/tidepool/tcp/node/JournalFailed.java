package tidepool.tcp.node;

/** The disk has failed, and with it the node: what was not forced may be gone, whatever a second try would say. */
public final class JournalFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JournalFailed(Throwable cause) {
        super("the journal failed, and nothing that was not kept may be believed: " + cause, cause);
    }
}
