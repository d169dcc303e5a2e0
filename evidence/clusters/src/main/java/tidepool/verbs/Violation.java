package tidepool.verbs;

/** A broken promise of the fabric, or a wrong use of it: a strand saw something that the model does not allow. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    static void unless(boolean holds, String area, String what) {
        if (!holds) throw new Violation(area + ": " + what);
    }
}
