package tidepool.base;

import java.lang.foreign.MemoryLayout;

/**
 * Checks that stay on. A failed check means that we were wrong, not that the user or the fabric was; it ends the node
 * instead of letting a wrong value travel on.
 */
public final class Checks {
    private Checks() {}

    /** Ends with an {@link InvariantException} unless {@code holds}. The text says what should have held. */
    public static void invariant(boolean holds, String whatShouldHold) {
        if (!holds) throw new InvariantException(whatShouldHold);
    }

    /** The same, with one number that helps to understand the failure; nothing is allocated while it holds. */
    public static void invariant(boolean holds, String whatShouldHold, long value) {
        if (!holds) throw new InvariantException(whatShouldHold + ": value=" + value);
    }

    /** Refuses an argument of a caller: {@link IllegalArgumentException} with the given text. */
    public static void argument(boolean holds, String whatIsWrong) {
        if (!holds) throw new IllegalArgumentException(whatIsWrong);
    }

    /** A layout is as large as its picture says. */
    public static void size(MemoryLayout layout, long bytes) {
        invariant(layout.byteSize() == bytes, "size of layout " + layout.name().orElse("?"), layout.byteSize());
    }
}
