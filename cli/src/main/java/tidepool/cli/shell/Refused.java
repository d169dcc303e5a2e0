package tidepool.cli.shell;

/** A statement that cannot be carried out, said in a sentence. It has changed nothing. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String sentence) {
        super(sentence);
    }
}
