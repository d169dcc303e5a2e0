package tidepool.base;

import java.lang.foreign.MemoryLayout;

/**
 * Checks that are never switched off. A failed invariant means a bug in Tidepool, not a mistake of the user or the
 * fabric. It ends the node. Otherwise a wrong value would spread.
 */
public final class Checks {
    private Checks() {}

    /** Throws an {@link InvariantException} unless {@code holds}. The text says what should have held. */
    public static void invariant(boolean holds, String whatShouldHold) {
        if (!holds) throw new InvariantException(whatShouldHold);
    }

    /**
     * Throws an {@link InvariantException} with one number that helps to understand it, unless {@code holds}. Allocates
     * nothing while it holds.
     */
    public static void invariant(boolean holds, String whatShouldHold, long value) {
        if (!holds) throw new InvariantException(whatShouldHold + ": value=" + value);
    }

    /**
     * Throws an {@link IllegalArgumentException} with the given text unless {@code holds}; for arguments of a caller.
     */
    public static void argument(boolean holds, String whatIsWrong) {
        if (!holds) throw new IllegalArgumentException(whatIsWrong);
    }

    /** Checks that a layout has the documented size. */
    public static void size(MemoryLayout layout, long bytes) {
        invariant(layout.byteSize() == bytes, "size of layout " + layout.name().orElse("?"), layout.byteSize());
    }
}
