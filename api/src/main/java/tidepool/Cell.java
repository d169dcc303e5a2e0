package tidepool;

/**
 * One record inside a transaction. The first {@link #get} of a transaction carries out every access that was declared
 * before it, in one go; cells declared together share their round trips.
 */
public final class Cell<T extends Record> {
    private final Transaction transaction;
    private final Table<T> table;
    private final long key;
    private final int access;
    private final boolean writes;
    private T pending;

    Cell(Transaction transaction, Table<T> table, long key, int access, boolean writes) {
        this.transaction = transaction;
        this.table = table;
        this.key = key;
        this.access = access;
        this.writes = writes;
    }

    /** The key under which the record lies. */
    public long key() {
        return key;
    }

    /** Whether the key exists. Waits, if the access was not carried out yet. */
    public boolean isPresent() {
        return pending != null || transaction.found(access);
    }

    /** The record: the one set last in this transaction, otherwise the one in the pool. Waits like {@link #isPresent}. */
    public T get() {
        if (pending != null) return pending;
        if (!transaction.found(access)) throw new NotFoundException("no record: table=" + table.name() + " key=" + key);
        return table.decode(key, transaction.memory(), transaction.value(access));
    }

    /** Sets the record, for a cell that was declared for writing. Its key must be the cell's. */
    public void set(T record) {
        if (record == null) throw new NullPointerException("a record is needed: table=" + table.name());
        if (!writes) throw new IllegalStateException("the cell was declared for reading: table=" + table.name());
        if (table.keyOf(record) != key)
            throw new IllegalArgumentException("the record has another key: table=" + table.name() + " key="
                    + table.keyOf(record) + " cell=" + key);
        pending = record;
        transaction.changed(this);
    }

    /** Puts the pending record where the transaction takes it from. */
    void flush(boolean mustBeNew) {
        if (pending == null) return;
        if (mustBeNew && transaction.found(access))
            throw new DuplicateKeyException("the key exists: table=" + table.name() + " key=" + key);
        if (!mustBeNew && transaction.isReadOnlyAccess(access))
            throw new NotFoundException("no record to update: table=" + table.name() + " key=" + key);
        table.encode(pending, transaction.memory(), transaction.value(access));
    }
}
