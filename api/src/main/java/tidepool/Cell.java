package tidepool;

import tidepool.store.TableInfo;

/**
 * One record inside a transaction. The first {@link #get} of a transaction carries out every access that was declared
 * before it, in one go; cells declared together share their round trips. All cells of a key show the same record: the
 * one that the transaction has made of it so far. Only the cell of a delete shows the record that was deleted.
 */
public final class Cell<T extends Record> {
    /** How it was declared. */
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

    /** The record that was deleted, if its place is used for another one, or never was; otherwise null. */
    private T kept;

    Cell(Transaction transaction, Table<T> table, long key, int access, Kind kind) {
        this.transaction = transaction;
        this.table = table;
        this.key = key;
        this.access = access;
        this.kind = kind;
    }

    /** The key under which the record lies. */
    public long key() {
        return key;
    }

    /**
     * Whether the key exists; of a delete, whether it did before. Waits, if there are accesses that were not carried
     * out yet.
     */
    public boolean isPresent() {
        return transaction.found(current());
    }

    /** The record: the one set last in this transaction, otherwise the one in the pool. Waits like {@link #isPresent}. */
    public T get() {
        int now = current();
        if (!transaction.found(now))
            throw transaction.refused(new NotFoundException("no record: table=" + table.name() + " key=" + key));
        return kept != null ? kept : table.decode(key, transaction.memory(), transaction.value(now));
    }

    /** Sets the record, for a cell that was declared for writing. Its key must be the cell's. */
    public void set(T record) {
        if (record == null) throw new NullPointerException("a record is needed: table=" + table.name());
        if (kind != Kind.UPDATE)
            throw new IllegalStateException("the cell was declared for reading: table=" + table.name());
        if (table.keyOf(record) != key)
            throw new IllegalArgumentException("the record has another key: table=" + table.name() + " key="
                    + table.keyOf(record) + " cell=" + key);
        int now = transaction.txn().update(table.info(), key);
        transaction.write(new PendingWrite<>(table, key, now, PendingWrite.Kind.UPDATE, record));
    }

    /** The key as the transaction has made it so far is a declaration of its own: it costs nothing more. */
    private int current() {
        return kind == Kind.DELETE ? access : transaction.txn().read(table.info(), key);
    }

    // ---- of a delete

    boolean isOf(TableInfo other, long otherKey) {
        return key == otherKey && table.info().id() == other.id();
    }

    /** Another record takes the place of the one that was deleted. Waits like {@link #isPresent}. */
    void keep() {
        if (kept == null && isPresent()) kept = get();
    }

    void keep(T record) {
        kept = record;
    }
}
