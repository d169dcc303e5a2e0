package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.store.TableLayout;
import tidepool.store.schema.RecordCodec;

/**
 * The records of one type in a pool. Shared by all threads. Every access happens inside a {@link Transaction}, and sees
 * the earlier effects of that transaction.
 */
public final class Table<T extends Record> {
    private final TableLayout info;
    private final RecordCodec<T> codec;

    Table(TableLayout info, RecordCodec<T> codec) {
        this.info = info;
        this.codec = codec;
    }

    /** Returns its name in the pool. */
    public String name() {
        return info.name();
    }

    /** Returns where the table lies, for the API on fields: {@link Worker} and {@link Transaction#raw}. */
    public TableLayout info() {
        return info;
    }

    /** Declares that a record is read. */
    public Cell<T> read(Transaction transaction, long key) {
        return new Cell<>(transaction, this, key, transaction.txn().read(info, key), Cell.Kind.READ);
    }

    /** Declares that a record is locked, read and changed. */
    public Cell<T> update(Transaction transaction, long key) {
        return new Cell<>(transaction, this, key, transaction.txn().update(info, key), Cell.Kind.UPDATE);
    }

    /**
     * Declares a new record. If its key exists, the transaction ends with {@link DuplicateKeyException}: here, or when
     * the access is carried out.
     */
    public void insert(Transaction transaction, T record) {
        long key = keyOf(record);
        transaction.write(
                new PendingWrite<>(this, key, transaction.txn().insert(info, key), PendingWrite.Kind.INSERT, record));
    }

    /** Declares that a record exists afterwards, whether its key existed before or not. */
    public void put(Transaction transaction, T record) {
        long key = keyOf(record);
        transaction.write(
                new PendingWrite<>(this, key, transaction.txn().put(info, key), PendingWrite.Kind.PUT, record));
    }

    /** Declares that a record is deleted. The cell tells whether there was one, and shows it. */
    public Cell<T> delete(Transaction transaction, long key) {
        T last = transaction.pending(this, key);
        Cell<T> cell = new Cell<>(transaction, this, key, transaction.txn().delete(info, key), Cell.Kind.DELETE);
        transaction.deletes(cell);
        if (last != null) cell.keep(last);
        return cell;
    }

    /** Reads a record at once; returns null if there is none. */
    public T get(Transaction transaction, long key) {
        return get(transaction, key, transaction.txn().read(info, key));
    }

    /**
     * Reads several records at once, in as many round trips as one. Returns those of {@code keys} in their order, null
     * where there is none. All accesses that were declared before are carried out with them.
     */
    public List<T> getAll(Transaction transaction, long... keys) {
        if (keys == null) throw new NullPointerException("keys are needed: table=" + name());
        int[] accesses = new int[keys.length];
        for (int i = 0; i < keys.length; i++) accesses[i] = transaction.txn().read(info, keys[i]);
        List<T> records = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) records.add(get(transaction, keys[i], accesses[i]));
        return records;
    }

    private T get(Transaction transaction, long key, int access) {
        if (!transaction.found(access)) return null;
        return decode(key, transaction.memory(), transaction.value(access));
    }

    Class<T> type() {
        return codec.type();
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
