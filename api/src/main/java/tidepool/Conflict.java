package tidepool;

/** Ends an attempt from inside the application's code; made once, without a stack trace, and never seen outside. */
final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final Conflict SIGNAL = new Conflict();

    private Conflict() {
        super("the attempt was aborted and will be tried again", null, false, false);
    }
}
