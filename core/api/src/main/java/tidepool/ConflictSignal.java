package tidepool;

/**
 * The signal that ends an attempt from inside the application's code. It is made once, without a stack trace, and never
 * leaves this package.
 */
final class ConflictSignal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final ConflictSignal SIGNAL = new ConflictSignal();

    private ConflictSignal() {
        super("the attempt was aborted and will be tried again", null, false, false);
    }
}
