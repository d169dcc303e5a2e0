package tidepool.check.litmus;

/** A round ended as no round may. */
public final class Forbidden extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Forbidden(String what) {
        super(what);
    }

    Forbidden(String what, Throwable cause) {
        super(what, cause);
    }
}
