package tidepool.protocol;

import java.util.Arrays;
import tidepool.store.BucketOrder;
import tidepool.store.TableLayout;

/**
 * A page of an iteration: what is asked for, and where the rows are that were read. A page has whole chains of buckets.
 * It ends with the chain that brings the number of rows that is wanted, or earlier, where the transaction can hold no
 * more.
 */
public final class RowPage {
    /** The value of {@link #snapshot} without a snapshot. */
    public static final long NO_SNAPSHOT = -1;

    private static final int FEW_ROWS = 64;

    public final TableLayout table;

    // ---- asked

    /** The position at which the page begins; see {@link BucketOrder}. */
    public long from = BucketOrder.START;

    /** The number of rows with which the page ends. */
    public int wanted;

    /** The maximum number of chains. */
    public int maxChains;

    /**
     * The snapshot in which the page is read. If there is none, the protocol takes one, where it has snapshots. Filled
     * in by the protocol.
     */
    public long snapshot = NO_SNAPSHOT;

    // ---- answered

    /** The position after the page. */
    public long next;

    private int[] accesses = new int[FEW_ROWS];
    private int rows;

    public RowPage(TableLayout table) {
        this.table = table;
    }

    /** Removes the rows: the page is read from its beginning. */
    public void clear() {
        rows = 0;
        next = from;
    }

    /** Adds a row by the number of its access. */
    public void add(int access) {
        if (rows == accesses.length) accesses = Arrays.copyOf(accesses, 2 * rows);
        accesses[rows++] = access;
    }

    /** Replaces the number of the access of a row, by a layer above the one that read it. */
    public void access(int row, int number) {
        accesses[row] = number;
    }

    /** Returns the number of rows. */
    public int rows() {
        return rows;
    }

    /** Returns the number of the access of a row. */
    public int access(int row) {
        return accesses[row];
    }
}
