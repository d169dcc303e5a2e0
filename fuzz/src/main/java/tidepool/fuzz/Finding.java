package tidepool.fuzz;

/** A parser did what it must not. */
final class Finding extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Finding(String what) {
        super(what);
    }

    static void unless(boolean holds, String what) {
        if (!holds) throw new Finding(what);
    }
}
