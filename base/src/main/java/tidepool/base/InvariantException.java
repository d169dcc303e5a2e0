package tidepool.base;

/** Something that should always hold did not: a bug of ours. Nobody catches it to go on. */
public final class InvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvariantException(String whatShouldHold) {
        super("invariant broken: " + whatShouldHold);
    }
}
