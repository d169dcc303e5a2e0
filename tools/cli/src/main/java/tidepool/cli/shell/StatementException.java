package tidepool.cli.shell;

/** A statement that cannot be carried out, explained in one sentence. It has changed nothing. */
public final class StatementException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StatementException(String sentence) {
        super(sentence);
    }
}
