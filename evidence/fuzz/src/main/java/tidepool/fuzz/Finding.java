package tidepool.fuzz;

/** Thrown when a parser violated a condition. */
final class Finding extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Finding(String what) {
        super(what);
    }

    static void unless(boolean holds, String what) {
        if (!holds) throw new Finding(what);
    }
}
