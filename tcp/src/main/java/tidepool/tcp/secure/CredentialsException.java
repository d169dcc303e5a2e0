package tidepool.tcp.secure;

/** A file or setting that has to do with secrets is not right. The sentence says what and where, never the secret. */
public final class CredentialsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public CredentialsException(String sentence) {
        super(sentence);
    }

    public CredentialsException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
