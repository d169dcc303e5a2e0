package tidepool.cli;

/**
 * An error that the user can correct. The message is one sentence that says what is wrong and, if possible, what to do.
 * It is printed without a stack trace.
 */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** Ends the command with exit code 1. */
    public UserError(String message) {
        this(message, 1);
    }

    public UserError(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
