package tidepool.store;

import tidepool.base.Checks;

/**
 * The content of the head of a bucket: the next bucket of its chain, and in the tag of that pointer the depth of the
 * chain, which only the head of a first bucket has. A table that never grew has depth 0 everywhere.
 *
 * <pre>
 *    63 … 48     47 … 0
 *    +--------+--------------------+
 *    | depth  |  next, or nowhere  |     a first bucket that a split makes has depth 1 or more; 0: it is unborn
 *    +--------+--------------------+
 * </pre>
 *
 * <pre>
 *    field   written by, under the lock of the head               read by
 *    next    inserts that add a bucket (LockPhase), deletes that  lookups and scans of the chain, which the version
 *            empty one (Unlinking): with the image of the head    of its first head brackets
 *    depth   the split of the chain (Splitting), in both heads    the same; then TableLayout.isHome says whether the
 *                                                                 chain is that of the key
 * </pre>
 *
 * Recovery and a change of nodes install or restore the whole head from a log.
 */
public final class HeadWord {
    private static final int DEPTH_SHIFT = 48;
    private static final long NEXT = (1L << DEPTH_SHIFT) - 1;

    private HeadWord() {}

    public static long of(long next, int depth) {
        Checks.invariant(next >= 0 && next <= NEXT, "a pointer without a tag", next);
        return (long) depth << DEPTH_SHIFT | next;
    }

    /** Returns the next bucket of the chain, or {@link Pointer#NOWHERE}. */
    public static long next(long word) {
        return word & NEXT;
    }

    /** Returns by how many bits the keys of a chain were told apart, in addition to those of the table's first size. */
    public static int depth(long word) {
        return (int) (word >>> DEPTH_SHIFT);
    }

    /** Returns a word with another next bucket and the same depth. */
    public static long withNext(long word, long next) {
        return of(next, depth(word));
    }
}
