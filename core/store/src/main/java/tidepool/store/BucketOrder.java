package tidepool.store;

import tidepool.base.Checks;

/**
 * The order in which an iteration visits the chains of a table. It is the only place that knows what a position means:
 * an iteration keeps positions and hands them back. Every row lies in one chain, and every chain is visited once.
 *
 * <pre>
 *    position:   | partition * n + bucket among the n of the table's first size | bits of the key, the lowest first |
 *                {@link #END} after the last
 * </pre>
 *
 * A chain of depth d contains the keys that are equal in their d lowest bits. These are the highest of a position, so a
 * chain is a range of positions, and a split divides it. A row keeps its position when a split moves it. So an
 * iteration that goes on from the end of a chain as it was read neither meets a row twice nor leaves one out.
 */
public final class BucketOrder {
    /** The position before all chains. */
    public static final long START = 0;

    /** The position after all chains. */
    public static final long END = -1;

    private static final int POSITION_BITS = 62;
    private static final int MAX_BITS = 32;

    private BucketOrder() {}

    /** Returns the head of the chain at a position, as far as it is known how the table has grown. */
    public static long head(TableLayout table, long position) {
        check(table, position);
        return table.home(partition(table, position), whenMade(table, position), bits(table, position));
    }

    /** Returns whether the chain that begins with a bucket is at a position, given the content of its head. */
    public static boolean isAt(TableLayout table, long position, long bucket, long headWord) {
        return table.isHome(whenMade(table, position), bits(table, position), bucket, HeadWord.depth(headWord));
    }

    /**
     * Returns the bucket in which to look for the chain at a position instead, given the head of a bucket that is not
     * its own; {@link Pointer#NOWHERE} if the area of that bucket is not known here.
     */
    public static long headInstead(TableLayout table, long position, long bucket, long headWord) {
        return table.homeInstead(whenMade(table, position), bits(table, position), bucket, HeadWord.depth(headWord));
    }

    /** Returns the position after a chain, given the content of its head. */
    public static long next(TableLayout table, long position, long headWord) {
        int rest = bitCount(table) - HeadWord.depth(headWord);
        long next = (position >>> rest) + 1 << rest;
        return next == chains(table) << bitCount(table) ? END : next;
    }

    /** Returns the position after a chain, as far as it is known how the table has grown. */
    public static long nextExpected(TableLayout table, long position) {
        return next(table, position, HeadWord.of(Pointer.NOWHERE, table.depthExpected(head(table, position))));
    }

    /** Returns the part of the chains that lie before a position, 0 to 1. */
    public static double share(TableLayout table, long position) {
        return position == END ? 1 : (double) position / (chains(table) << bitCount(table));
    }

    private static void check(TableLayout table, long position) {
        Checks.argument(
                position >= 0 && position >>> bitCount(table) < chains(table),
                "a position that an iteration has returned");
    }

    private static int partition(TableLayout table, long position) {
        return (int) ((position >>> bitCount(table)) / table.buckets());
    }

    private static long whenMade(TableLayout table, long position) {
        return (position >>> bitCount(table)) % table.buckets();
    }

    private static long bits(TableLayout table, long position) {
        return Long.reverse(position << Long.SIZE - bitCount(table));
    }

    private static int bitCount(TableLayout table) {
        return Math.min(MAX_BITS, POSITION_BITS - Long.SIZE + Long.numberOfLeadingZeros(chains(table)));
    }

    private static long chains(TableLayout table) {
        return (long) table.partitions() * table.buckets();
    }
}
