package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.store.TableInfo;
import tidepool.store.schema.RecordCodec;

/** The records of one type in a pool. Shared by all threads; every access happens inside a {@link Transaction}. */
public final class Table<T extends Record> {
    private final TableInfo info;
    private final RecordCodec<T> codec;

    Table(TableInfo info, RecordCodec<T> codec) {
        this.info = info;
        this.codec = codec;
    }

    /** Its name in the pool. */
    public String name() {
        return info.name();
    }

    /** Where the table lies, for the API on fields: {@link Worker} and {@link Transaction#raw}. */
    public TableInfo info() {
        return info;
    }

    /** Declares that a record is read. */
    public Cell<T> read(Transaction transaction, long key) {
        return cell(transaction, key, transaction.txn().read(info, key), false);
    }

    /** Declares that a record is locked, read and changed. */
    public Cell<T> update(Transaction transaction, long key) {
        return cell(transaction, key, transaction.txn().update(info, key), true);
    }

    /** Declares a new record; if its key exists, the transaction ends with {@link DuplicateKeyException}. */
    public void insert(Transaction transaction, T record) {
        long key = keyOf(record);
        Cell<T> cell = cell(transaction, key, transaction.txn().insert(info, key), true);
        cell.set(record);
        transaction.mustBeNew(cell);
    }

    /** Declares that a record is there afterwards, whether its key existed or not. */
    public void put(Transaction transaction, T record) {
        long key = keyOf(record);
        cell(transaction, key, transaction.txn().put(info, key), true).set(record);
    }

    /** Declares that a record is gone afterwards; the cell tells whether there was one. */
    public Cell<T> delete(Transaction transaction, long key) {
        return cell(transaction, key, transaction.txn().delete(info, key), false);
    }

    /** Reads a record at once; null if there is none. */
    public T get(Transaction transaction, long key) {
        Cell<T> cell = read(transaction, key);
        return cell.isPresent() ? cell.get() : null;
    }

    /**
     * Reads several records at once, in as many round trips as one: those of {@code keys} in their order, null where there
     * is none. All accesses that were declared before are carried out with them.
     */
    public List<T> getAll(Transaction transaction, long... keys) {
        if (keys == null) throw new NullPointerException("keys are needed: table=" + name());
        List<Cell<T>> cells = new ArrayList<>(keys.length);
        for (long key : keys) cells.add(read(transaction, key));
        List<T> records = new ArrayList<>(keys.length);
        for (Cell<T> cell : cells) records.add(cell.isPresent() ? cell.get() : null);
        return records;
    }

    private Cell<T> cell(Transaction transaction, long key, int access, boolean writes) {
        return new Cell<>(transaction, this, key, access, writes);
    }

    long keyOf(T record) {
        if (record == null) throw new NullPointerException("a record is needed: table=" + name());
        return codec.key(record);
    }

    T decode(long key, MemorySegment memory, long offset) {
        return codec.decode(key, memory, offset);
    }

    void encode(T record, MemorySegment memory, long offset) {
        codec.encode(record, memory, offset);
    }
}
