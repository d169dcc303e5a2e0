package tidepool;

import tidepool.schema.RowKey;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * Rows that wait for their transaction, as keys and bytes, and the work of that transaction. The rows stay here until
 * it has committed, so every attempt finds them.
 */
abstract class LoadBatch implements AutoCloseable {
    /** The maximum number of rows. More of them in one transaction do not make a row cheaper. */
    static final int MAX_ROWS = 256;

    private static final long MAX_BYTES = 8L << 20;
    private static final int NONE = -1;

    final TableLayout table;
    final Duplicates duplicates;
    final RowKey[] keys;

    /** The accesses of the rows in the transaction. */
    final int[] accesses;

    private final LoadPosition position; // null for a load without a name
    private final boolean isWide;
    private final long[] checksums; // after each row
    private int count;

    // ---- the transaction: what it is to do, and what its last attempt found
    private int wanted;
    private long loaded;
    private int existing;
    private int duplicate;
    private boolean isTaken;

    LoadBatch(TableLayout table, Duplicates duplicates, LoadPosition position) {
        this.table = table;
        this.duplicates = duplicates;
        this.position = position;
        this.isWide = table.schema().key().isWide();
        int room = Math.clamp(MAX_BYTES / Math.max(1, table.schema().length()), 1, MAX_ROWS);
        this.keys = new RowKey[room];
        for (int i = 0; i < room; i++) keys[i] = table.schema().key().newKey();
        this.checksums = new long[room];
        this.accesses = new int[room];
    }

    int count() {
        return count;
    }

    /** Returns whether there is no room for another row, in a batch of at most {@code most} rows. */
    boolean isFull(int most) {
        return count >= Math.min(most, keys.length);
    }

    RowKey key(int row) {
        return keys[row];
    }

    /** Returns the checksum of all rows up to this one. */
    long checksum(int row) {
        return checksums[row];
    }

    /** Adds a row. If the writer throws, nothing is added. */
    <R> void add(R row, LoadWriter<R> writer, long checksum) {
        checksums[count] = write(count, row, writer, checksum);
        count++;
    }

    /** Writes a row to its place. Returns the checksum of all rows up to it. */
    abstract <R> long write(int at, R row, LoadWriter<R> writer, long checksum);

    // ---- the transaction of the first rows

    /**
     * Commits the first {@code rows} rows, after {@code before} rows of the load, and waits for that. Returns false if
     * the transaction was given up.
     */
    final boolean commit(int rows, long before) {
        wanted = rows;
        loaded = before;
        return transact();
    }

    /** Runs {@link #declare} and {@link #writeAll} in a transaction until it commits. Returns false if given up. */
    abstract boolean transact();

    /** Declares what the transaction does, with the position of the load. */
    final void declare(Txn txn) {
        existing = 0;
        duplicate = NONE;
        isTaken = false;
        for (int i = 0; i < wanted; i++) accesses[i] = declare(txn, keys[i]);
        if (position != null) position.declare(txn);
    }

    private int declare(Txn txn, RowKey key) {
        if (duplicates == Duplicates.REPLACE) return isWide ? txn.put(table, key) : txn.put(table, key.word());
        return isWide ? txn.insert(table, key) : txn.insert(table, key.word());
    }

    /** Writes position and rows, once the accesses are carried out. Returns false to give the transaction up. */
    final boolean writeAll(Txn txn) {
        if (position != null && !position.advance(txn, loaded, loaded + wanted, checksums[wanted - 1])) {
            isTaken = true;
            return false;
        }
        for (int i = 0; i < wanted; i++) {
            if (txn.found(accesses[i]) && keeps(i)) continue;
            if (duplicate != NONE) return false;
            put(i, txn);
        }
        return true;
    }

    /** Writes a row, once its access is carried out. */
    abstract void put(int row, Txn txn);

    /** Counts a row whose key exists. Returns whether the table keeps what it has. */
    private boolean keeps(int row) {
        existing++;
        if (duplicates == Duplicates.REFUSE) duplicate = row;
        return duplicates == Duplicates.SKIP;
    }

    /** Returns how many rows the transaction has. */
    final int wanted() {
        return wanted;
    }

    /** Returns how many rows of the transaction had keys that existed. */
    int existing() {
        return existing;
    }

    /** Returns the row whose key existed, so that the transaction was given up; -1 if there was none. */
    int duplicate() {
        return duplicate;
    }

    /** Returns whether the transaction was given up because another loader has taken the load over. */
    boolean isTaken() {
        return isTaken;
    }

    /** Drops the first rows, which are committed, or were committed before. */
    final void drop(int rows) {
        dropValues(rows, count);
        count -= rows;
        for (int i = 0; i < count; i++) {
            RowKey dropped = keys[i];
            keys[i] = keys[i + rows];
            keys[i + rows] = dropped;
            checksums[i] = checksums[i + rows];
        }
    }

    /** Drops the values of the first {@code rows} rows of {@code of}. */
    abstract void dropValues(int rows, int of);

    @Override
    public abstract void close();
}
