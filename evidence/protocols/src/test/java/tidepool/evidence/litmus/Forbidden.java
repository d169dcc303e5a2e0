package tidepool.evidence.litmus;

/** Thrown when a round ended with an outcome that no round may have. */
public final class Forbidden extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Forbidden(String what) {
        super(what);
    }

    Forbidden(String what, Throwable cause) {
        super(what, cause);
    }
}
