package tidepool.wire.tls;

/**
 * Thrown when a file or setting of credentials is invalid. The message says what is wrong and where, and never contains
 * the secret.
 */
public final class CredentialsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public CredentialsException(String sentence) {
        super(sentence);
    }

    public CredentialsException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
