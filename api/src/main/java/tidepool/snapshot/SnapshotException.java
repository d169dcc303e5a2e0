package tidepool.snapshot;

/** A file is not a snapshot, or is damaged, or is not for this program; the message names it and says where. */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SnapshotException(String message) {
        super(message);
    }

    SnapshotException(String message, Throwable cause) {
        super(message, cause);
    }
}
