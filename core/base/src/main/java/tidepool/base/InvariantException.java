package tidepool.base;

/** A broken invariant: a bug in Tidepool. No code catches it to continue. */
public final class InvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvariantException(String whatShouldHold) {
        super("invariant broken: " + whatShouldHold);
    }
}
