package tidepool.store;

import tidepool.base.Checks;

/**
 * The content of the object that counts the overflow buckets of a table in a partition: how many were ever handed out,
 * and the first that is free again. The head of a free bucket points to the next free one.
 *
 * <pre>
 *    63              32 31               0
 *    +-----------------+-----------------+
 *    | first free + 1  |   handed out    |     zeros: none was handed out, none is free
 *    +-----------------+-----------------+
 * </pre>
 */
public final class OverflowCount {
    /** No bucket is free except those that were never handed out. */
    public static final long NONE = -1;

    private static final int FREE_SHIFT = 32;
    private static final long HANDED_OUT = (1L << FREE_SHIFT) - 1;

    private OverflowCount() {}

    public static long of(long handedOut, long firstFree) {
        Checks.invariant(handedOut >= 0 && handedOut <= HANDED_OUT, "a count has 32 bits", handedOut);
        Checks.invariant(firstFree >= NONE && firstFree < handedOut, "a free bucket was handed out", firstFree);
        return firstFree + 1 << FREE_SHIFT | handedOut;
    }

    /** Returns how many buckets were ever handed out. Each bucket with a lower number is in a chain or free. */
    public static long handedOut(long word) {
        return word & HANDED_OUT;
    }

    /** Returns the number of the first free bucket, or {@link #NONE}. */
    public static long firstFree(long word) {
        return (word >>> FREE_SHIFT) - 1;
    }
}
