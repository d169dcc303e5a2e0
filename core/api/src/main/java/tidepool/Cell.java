package tidepool;

import tidepool.store.TableLayout;

/**
 * One record inside a transaction. The first {@link #get} of a transaction carries out every access that was declared
 * before it, all at once; cells declared together share their round trips. All cells of a key show one record: the one
 * that the transaction has made of it so far. Only the cell of a delete shows the record that was deleted.
 */
public final class Cell<T extends Record> {
    /** The access for which it was declared. */
    enum Kind {
        READ,
        UPDATE,
        DELETE
    }

    private final Transaction transaction;
    private final Table<T> table;
    private final long key;
    private final int access;
    private final Kind kind;

    /** The deleted record, if its place is used for another record, or it never had a place; otherwise null. */
    private T kept;

    Cell(Transaction transaction, Table<T> table, long key, int access, Kind kind) {
        this.transaction = transaction;
        this.table = table;
        this.key = key;
        this.access = access;
        this.kind = kind;
    }

    /** Returns the key of the record. */
    public long key() {
        return key;
    }

    /**
     * Returns whether the key exists; for a delete, whether it existed before. Waits if declared accesses were not
     * carried out yet.
     */
    public boolean isPresent() {
        return transaction.found(current());
    }

    /**
     * Returns the record: the one set last in this transaction, otherwise the one in the pool. Waits like
     * {@link #isPresent}.
     */
    public T get() {
        int now = current();
        if (!transaction.found(now))
            throw transaction.refused(new NotFoundException("no record: table=" + table.name() + " key=" + key));
        return kept != null ? kept : table.decode(key, transaction.memory(), transaction.value(now));
    }

    /** Sets the record, for a cell that was declared for writing. Its key must be that of the cell. */
    public void set(T record) {
        if (record == null) throw new NullPointerException("a record is needed: table=" + table.name());
        if (kind != Kind.UPDATE)
            throw new IllegalStateException("the cell was declared for reading: table=" + table.name());
        if (table.keyOf(record) != key)
            throw new IllegalArgumentException("the record has another key: table=" + table.name() + " key="
                    + table.keyOf(record) + " cell=" + key);
        int now = transaction.txn().update(table.layout(), key);
        transaction.write(new PendingWrite<>(table, key, now, PendingWrite.Kind.UPDATE, record));
    }

    /**
     * Returns the access that shows the key as the transaction has made it so far. Declaring it again costs nothing.
     */
    private int current() {
        return kind == Kind.DELETE ? access : transaction.txn().read(table.layout(), key);
    }

    /** Returns table and key. Does not show the record, because that would carry out accesses. */
    @Override
    public String toString() {
        return "table=" + table.name() + " key=" + key;
    }

    // ---- deletes

    boolean isOf(TableLayout other, long otherKey) {
        return key == otherKey && table.layout().id() == other.id();
    }

    /** Keeps the deleted record before another record takes its place. Waits like {@link #isPresent}. */
    void keep() {
        if (kept == null && isPresent()) kept = get();
    }

    void keep(T record) {
        kept = record;
    }
}
