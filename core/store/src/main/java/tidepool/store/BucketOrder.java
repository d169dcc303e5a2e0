package tidepool.store;

import tidepool.base.Checks;

/**
 * The order in which an iteration visits the chains of a table. It is the only place that knows what a position means:
 * an iteration keeps positions and hands them back. Every row lies in one chain, and every chain is visited once.
 *
 * <pre>
 *    position:   partition * buckets + bucket      of the first bucket of a chain; {@link #END} after the last
 * </pre>
 */
public final class BucketOrder {
    /** The position before all chains. */
    public static final long START = 0;

    /** The position after all chains. */
    public static final long END = -1;

    private BucketOrder() {}

    /** Returns the head of the first bucket of the chain at a position. */
    public static long head(TableLayout table, long position) {
        Checks.argument(position >= 0 && position < chains(table), "a position that an iteration has returned");
        return table.bucket((int) (position / table.buckets()), position % table.buckets());
    }

    /** Returns the position of the next chain. */
    public static long next(TableLayout table, long position) {
        return position + 1 == chains(table) ? END : position + 1;
    }

    /** Returns the part of the chains that lie before a position, 0 to 1. */
    public static double share(TableLayout table, long position) {
        return position == END ? 1 : (double) position / chains(table);
    }

    private static long chains(TableLayout table) {
        return (long) table.partitions() * table.buckets();
    }
}
