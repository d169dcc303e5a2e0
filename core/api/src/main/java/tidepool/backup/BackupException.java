package tidepool.backup;

/**
 * A file that is not a backup, or is damaged, or is not for this program. The message names it and says where.
 *
 * <pre>{@code
 * try {
 *     Backup.check(file);
 * } catch (BackupException e) {
 *     System.out.println(e.getMessage());
 * }
 * }</pre>
 */
public final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** For the code that reads and writes the file. */
    public BackupException(String message) {
        super(message);
    }

    /** For the code that reads and writes the file. */
    public BackupException(String message, Throwable cause) {
        super(message, cause);
    }
}
