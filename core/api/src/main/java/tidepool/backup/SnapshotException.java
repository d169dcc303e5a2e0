package tidepool.backup;

/** A file that is not a backup, or is damaged, or is not for this program. The message names it and says where. */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SnapshotException(String message) {
        super(message);
    }

    SnapshotException(String message, Throwable cause) {
        super(message, cause);
    }
}
