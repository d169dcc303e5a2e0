package tidepool.check.simulation;

/** The fabric, or the way it was used, has broken a promise: what was seen is none of what the model allows. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    static void unless(boolean holds, String area, String what) {
        if (!holds) throw new Violation(area + ": " + what);
    }
}
