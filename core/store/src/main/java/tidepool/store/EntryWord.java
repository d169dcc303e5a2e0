package tidepool.store;

import tidepool.base.Checks;

/**
 * The first word of a table's entry in the catalog.
 *
 * <pre>
 *    bits    0        8                36                 64
 *            +--------+----------------+------------------+
 *            | state  | made at change | emptied at change |
 *            +--------+----------------+------------------+
 * </pre>
 *
 * <p>Two tables that have the same entry, one after the other, differ in the number of the change at which they were
 * made, because the drop of the first lies between. So a handle of the first is never taken for one of the second.
 *
 * <pre>
 *    field               written by, under the catalog lock            read by
 *    state               CatalogTables: when it makes a table, and     openings of the table, lists of tables; the
 *                        when the memory is zero (end); TableChange:   session that goes on with a drop or a truncation
 *                        truncate, drop
 *    made at change      CatalogTables, when it makes a table          handles: is it still their table
 *    emptied at change   CatalogTables; TableChange: truncate, drop    handles: has it been emptied since
 * </pre>
 */
final class EntryWord {
    /** The entry has no table and no memory. */
    static final int FREE = 0;

    /** The table may be used. */
    static final int READY = 1;

    /** The table was truncated, and not all of its area is zero yet. */
    static final int EMPTYING = 2;

    /** The table is gone, and not all of its area is zero yet. */
    static final int DROPPED = 3;

    private static final int STATE_BITS = 8;
    private static final int CHANGE_BITS = 28;
    private static final long CHANGE_MASK = (1L << CHANGE_BITS) - 1;

    private EntryWord() {}

    static long of(int state, long made, long emptied) {
        Checks.invariant(emptied <= CHANGE_MASK, "a pool has at most 2^28 changes of tables", emptied);
        return state | made << STATE_BITS | emptied << STATE_BITS + CHANGE_BITS;
    }

    static int state(long word) {
        return (int) (word & (1 << STATE_BITS) - 1);
    }

    /** Returns the number of changes of tables before the table was made. */
    static long made(long word) {
        return word >>> STATE_BITS & CHANGE_MASK;
    }

    /** Returns the number of changes of tables when the table was last empty. */
    static long emptied(long word) {
        return word >>> STATE_BITS + CHANGE_BITS & CHANGE_MASK;
    }

    static long with(long word, int state) {
        return of(state, made(word), emptied(word));
    }
}
