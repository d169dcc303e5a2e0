package tidepool.mutants;

import java.util.BitSet;

/**
 * The methods that were entered since the last call of {@code take}, by their numbers. Traced classes call it, so it
 * allocates nothing.
 */
public final class MethodCoverage {
    static final int MAX_METHODS = 1 << 17;
    private static final boolean[] ENTERED = new boolean[MAX_METHODS];

    private MethodCoverage() {}

    /** Called at the beginning of each traced method. */
    public static void enter(int method) {
        ENTERED[method] = true;
    }

    /** Returns the methods that were entered since the last call. */
    static BitSet take() {
        BitSet taken = new BitSet();
        for (int i = 0; i < MAX_METHODS; i++)
            if (ENTERED[i]) {
                taken.set(i);
                ENTERED[i] = false;
            }
        return taken;
    }
}
