package tidepool.backup;

/** A file that is not a backup, or is damaged, or is not for this program. The message names it and says where. */
public final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BackupException(String message) {
        super(message);
    }

    BackupException(String message, Throwable cause) {
        super(message, cause);
    }
}
