package tidepool.txn;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;

/**
 * A scan of an index on fields: which keys, in which order, and the rows of the page that was read last. Made once and
 * used often; it allocates nothing per row.
 *
 * <pre>{@code
 * RangeScan newest = new RangeScan(orders, "by_customer").reversed().limit(1);
 *
 * boolean run(Txn txn) {
 *     newest.prefix(warehouse, district, customer).begin();
 *     while (newest.hasNext()) {
 *         if (!txn.scan(newest)) return false; // a conflict
 *         for (int i = 0; i < newest.rows(); i++) total += amount.get(txn.memory(), txn.value(newest.access(i)));
 *     }
 *     return true;
 * }
 * }</pre>
 *
 * <p>A scan sees the earlier writes of its transaction. Rows that the transaction inserts, changes or deletes between
 * two pages count for the later page. Belongs to one thread.
 */
public final class RangeScan {
    private static final int FIRST_PAGE = 64;
    private static final int MAX_PAGE = 512;

    private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final TableHandle table;
    private final IndexSchema index;
    private final IndexKeys keys;
    private final boolean isLong; // the order of a key that is one long

    // ---- asked
    private final byte[] low;
    private final byte[] high;
    private boolean hasHigh;
    private boolean isEmpty; // no key can be in the range
    private boolean isReversed;
    private boolean isKeysOnly;
    private long limit = Long.MAX_VALUE;

    // ---- where it goes on, for the index
    private final byte[] position;
    private boolean hasPosition; // otherwise it begins at the greatest key of all, backwards
    private boolean isDone = true;
    private long returned;
    private int pageSize;

    // ---- the page
    private int rows;
    private int[] accesses = new int[FIRST_PAGE];
    private byte[] entries;

    /** Makes a scan of all keys of an index, in their order. */
    public RangeScan(TableHandle table, String index) {
        this.table = table;
        this.index = table.schema().index(index);
        this.keys = IndexKeys.of(table.schema(), this.index);
        this.isLong = this.index.columns().isEmpty() && table.schema().key().isLong();
        this.low = new byte[keys.width()];
        this.high = new byte[keys.width()];
        this.position = new byte[keys.width()];
        this.entries = new byte[FIRST_PAGE * keys.width()];
    }

    // ---- what is asked

    /** Returns the table whose rows are read. */
    public TableHandle table() {
        return table;
    }

    /** Returns the index. */
    public IndexSchema index() {
        return index;
    }

    /** Returns the shape of the entries of the index. */
    public IndexKeys keys() {
        return keys;
    }

    /** Removes the bounds: all keys. */
    public RangeScan all() {
        Arrays.fill(low, (byte) 0);
        hasHigh = false;
        isEmpty = false;
        return this;
    }

    /** Begins at the values of the first columns, inclusive. */
    public RangeScan from(Object... values) {
        keys.bound(low, 0, values);
        isEmpty = false;
        return this;
    }

    /** Begins at a value of the first column, inclusive. Allocates nothing for the order of a key that is one long. */
    public RangeScan from(long value) {
        bound(low, value);
        isEmpty = false;
        return this;
    }

    /** Ends before a value of the first column. Allocates nothing for the order of a key that is one long. */
    public RangeScan to(long value) {
        bound(high, value);
        hasHigh = true;
        return this;
    }

    private void bound(byte[] bytes, long value) {
        if (!isLong) keys.bound(bytes, 0, value);
        else BIG.set(bytes, 0, value ^ Long.MIN_VALUE);
    }

    /** Ends before the values of the first columns. */
    public RangeScan to(Object... values) {
        keys.bound(high, 0, values);
        hasHigh = true;
        return this;
    }

    /**
     * Begins at the entry that a row with this value and this key has, inclusive. Allocates nothing, whatever the
     * columns are.
     *
     * @param memory has the value, as a row of the table, from {@code value} on
     */
    public RangeScan from(MemorySegment memory, long value, RowKey key) {
        keys.encode(memory, value, key, low, 0);
        isEmpty = false;
        return this;
    }

    /** Ends before the entry that a row with this value and this key has. Allocates nothing. */
    public RangeScan to(MemorySegment memory, long value, RowKey key) {
        keys.encode(memory, value, key, high, 0);
        hasHigh = true;
        return this;
    }

    /** Takes the entries whose first columns have these values. */
    public RangeScan prefix(Object... values) {
        int bytes = keys.bound(low, 0, values);
        System.arraycopy(low, 0, high, 0, high.length);
        hasHigh = IndexKeys.next(high, 0, bytes, keys.width());
        isEmpty = false;
        return this;
    }

    /** Begins after all entries whose first columns have these values. */
    public RangeScan after(Object... values) {
        int bytes = keys.bound(low, 0, values);
        isEmpty = !IndexKeys.next(low, 0, bytes, keys.width());
        return this;
    }

    /** Ends after all entries whose first columns have these values. */
    public RangeScan through(Object... values) {
        int bytes = keys.bound(high, 0, values);
        hasHigh = IndexKeys.next(high, 0, bytes, keys.width());
        return this;
    }

    /** Goes from the greatest key to the smallest. */
    public RangeScan reversed() {
        isReversed = true;
        return this;
    }

    /** Reads no rows: the page has the entries of the index alone. */
    public RangeScan keysOnly() {
        isKeysOnly = true;
        return this;
    }

    /** Ends after a number of entries. */
    public RangeScan limit(long most) {
        if (most < 0) throw new IllegalArgumentException("a limit is not negative: " + most);
        limit = most;
        return this;
    }

    /** Begins, or begins anew: an attempt that follows another one reads everything again. */
    public RangeScan begin() {
        rows = 0;
        returned = 0;
        pageSize = limit <= MAX_PAGE ? MAX_PAGE : FIRST_PAGE; // what is short comes at once
        boolean isNothing = isEmpty || limit == 0 || hasHigh && Arrays.compareUnsigned(low, high) >= 0;
        isDone = isNothing;
        hasPosition = !isReversed || hasHigh;
        System.arraycopy(isReversed ? high : low, 0, position, 0, position.length);
        return this;
    }

    // ---- the page

    /** Returns whether there may be another page. */
    public boolean hasNext() {
        return !isDone;
    }

    /** Returns the number of entries of the page. */
    public int rows() {
        return rows;
    }

    /** Returns the access of a row of the page, for {@link Txn#value}. */
    public int access(int row) {
        if (isKeysOnly) throw new IllegalStateException("the scan reads no rows");
        return accesses[checked(row)];
    }

    /** Returns the key of a row of the page, in {@code into}. */
    public RowKey key(int row, RowKey into) {
        return keys.key(entries, checked(row) * keys.width(), into);
    }

    /** Returns the key of a row of the page, or the hash of a wide one. */
    public long keyWord(int row) {
        return keys.keyWord(entries, checked(row) * keys.width());
    }

    private int checked(int row) {
        if (row < 0 || row >= rows) throw new IndexOutOfBoundsException("the page has " + rows + " rows, not " + row);
        return row;
    }

    // ---- for the index

    public boolean isReversed() {
        return isReversed;
    }

    public boolean isKeysOnly() {
        return isKeysOnly;
    }

    /** Returns the smallest key of the range. */
    public byte[] low() {
        return low;
    }

    /** Returns the key before which the range ends; null if it has no end. */
    public byte[] high() {
        return hasHigh ? high : null;
    }

    /**
     * Returns the key at which the next page begins, inclusive; or, backwards, before which it begins, and null if that
     * is the greatest key of all.
     */
    public byte[] position() {
        return hasPosition ? position : null;
    }

    /** Returns the bytes of the entries of the page, one after the other. */
    public byte[] entries() {
        return entries;
    }

    /** Returns how many entries the next page may have. */
    public int wanted() {
        return (int) Math.min(pageSize, limit - returned);
    }

    /** Empties the page, which is about to be read. */
    public void beginPage() {
        rows = 0;
        int most = wanted();
        if (entries.length < most * keys.width()) entries = new byte[most * keys.width()];
        if (accesses.length < most) accesses = new int[most];
    }

    /** Adds an entry, which was copied to the end of {@link #entries}. */
    public void add() {
        rows++;
    }

    /** Goes on, within a page, with the keys below one. */
    public void goOnBelow(byte[] key) {
        System.arraycopy(key, 0, position, 0, position.length);
        hasPosition = true;
    }

    /** Sets the access that reads the row of an entry. */
    public void access(int row, int number) {
        accesses[row] = number;
    }

    /** Ends a page after which there may be another one. */
    public void endPage() {
        returned += rows;
        pageSize = Math.min(MAX_PAGE, 2 * pageSize);
        if (returned >= limit) isDone = true;
        if (rows == 0 || isDone) return;
        System.arraycopy(entries, (rows - 1) * keys.width(), position, 0, keys.width());
        hasPosition = true;
        // Forwards, the next page begins with the key after the last one.
        if (!isReversed && !IndexKeys.next(position, 0, keys.width(), keys.width())) isDone = true;
    }

    /** Ends the last page. */
    public void endScan() {
        returned += rows;
        isDone = true;
    }
}
