package tidepool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.schema.RowKey;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * Rows that wait for their transaction, as keys and bytes, and the work of that transaction. The rows stay here until
 * it has committed, so every attempt finds them.
 */
final class LoadBatch implements Worker.Work, AutoCloseable {
    /** The maximum number of rows. More of them in one transaction do not make a row cheaper. */
    static final int MAX_ROWS = 256;

    private static final long MAX_BYTES = 8L << 20;
    private static final int NONE = -1;

    private final TableLayout table;
    private final Duplicates duplicates;
    private final LoadPosition position; // null for a load without a name
    private final boolean isWide;
    private final long stride;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment values;
    private final RowKey[] keys;
    private final long[] checksums; // after each row
    private final int[] accesses;
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
        this.stride = table.schema().length();
        int room = Math.clamp(MAX_BYTES / Math.max(1, stride), 1, MAX_ROWS);
        this.values = arena.allocate(Math.max(Words.BYTES, stride * room), Words.BYTES);
        this.keys = new RowKey[room];
        for (int i = 0; i < room; i++) keys[i] = table.schema().key().newKey();
        this.checksums = new long[room];
        this.accesses = new int[room];
    }

    int room() {
        return keys.length;
    }

    int count() {
        return count;
    }

    RowKey key(int row) {
        return keys[row];
    }

    /** Returns the checksum of all rows up to this one. */
    long checksum(int row) {
        return checksums[row];
    }

    /** Adds a row. If the writer throws, nothing is added. */
    <R> void add(R row, RowWriter<R> writer, long checksum) {
        long at = count * stride;
        values.asSlice(at, stride).fill((byte) 0);
        writer.write(row, keys[count], values, at);
        long sum = Checksum64.mix(checksum, keys[count].word()); // and a key with a part that is missing is refused
        for (long word = at; word < at + stride; word += Words.BYTES)
            sum = Checksum64.mix(sum, Words.plain(values, word));
        checksums[count++] = sum;
    }

    // ---- the transaction of the first rows

    /** Sets what the transaction does: {@code rows} rows, after {@code before} rows of the load. */
    LoadBatch of(int rows, long before) {
        wanted = rows;
        loaded = before;
        return this;
    }

    @Override
    public boolean run(Txn txn) {
        existing = 0;
        duplicate = NONE;
        isTaken = false;
        for (int i = 0; i < wanted; i++) accesses[i] = declare(txn, keys[i]);
        if (position != null) position.declare(txn);
        if (!txn.execute()) return false;
        if (position != null && !position.advance(txn, loaded, loaded + wanted, checksums[wanted - 1])) {
            isTaken = true;
            return false;
        }
        for (int i = 0; i < wanted; i++) {
            if (txn.found(accesses[i]) && keeps(i)) continue;
            if (duplicate != NONE) return false;
            MemorySegment.copy(values, Words.U64, i * stride, txn.memory(), Words.U64, txn.value(accesses[i]), words());
        }
        return true;
    }

    private long words() {
        return stride / Words.BYTES;
    }

    private int declare(Txn txn, RowKey key) {
        if (duplicates == Duplicates.REPLACE) return isWide ? txn.put(table, key) : txn.put(table, key.word());
        return isWide ? txn.insert(table, key) : txn.insert(table, key.word());
    }

    /** Counts a row whose key exists. Returns whether the table keeps what it has. */
    private boolean keeps(int row) {
        existing++;
        if (duplicates == Duplicates.REFUSE) duplicate = row;
        return duplicates == Duplicates.SKIP;
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
    void drop(int rows) {
        count -= rows;
        if (count == 0) return;
        MemorySegment.copy(values, rows * stride, values, 0, count * stride);
        for (int i = 0; i < count; i++) {
            RowKey dropped = keys[i];
            keys[i] = keys[i + rows];
            keys[i + rows] = dropped;
            checksums[i] = checksums[i + rows];
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
