package tidepool;

import tidepool.schema.RowImage;
import tidepool.schema.RowKey;
import tidepool.store.TableLayout;

/**
 * One record inside a transaction. The first {@link #get} of a transaction carries out every access that was declared
 * before it, all at once; cells declared together share their round trips. All cells of a key show one record: the one
 * that the transaction has made of it so far. Only the cell of a delete shows the record that was deleted.
 *
 * <pre>{@code
 * pool.transact(tx -> {
 *     Cell<Account> account = accounts.update(tx, 17); // declared; the first question sends it
 *     if (account.isPresent()) account.set(account.get().plus(5));
 * });
 * }</pre>
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
    private final long key; // or the word of a key of several parts
    private final RowKey parts; // null if the key is one long
    private final int access;
    private final Kind kind;

    /** The deleted record, if its place is used for another record, or it never had a place; otherwise null. */
    private T kept;

    Cell(Transaction transaction, Table<T> table, long key, RowKey parts, int access, Kind kind) {
        this.transaction = transaction;
        this.table = table;
        this.key = key;
        this.parts = parts;
        this.access = access;
        this.kind = kind;
    }

    /** Returns the key of the record, in a table whose key is one {@code long} or {@code int}. */
    public long key() {
        if (parts == null) return key;
        throw new IllegalStateException("the key of table " + table.name() + " is "
                + table.handle().schema().key() + ": use rowKey()");
    }

    /** Returns the key of the record, whatever its parts. */
    public RowKey rowKey() {
        return parts == null ? table.key(key) : parts.copy();
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
            throw transaction.refused(
                    new NotFoundException("no record: table=" + table.name() + " key=" + Table.text(key, parts)));
        return kept != null ? kept : table.decode(transaction, key, parts, now);
    }

    /** Sets the record, for a cell that was declared for writing. Its key must be that of the cell. */
    public void set(T record) {
        if (record == null) throw new NullPointerException("a record is needed: table=" + table.name());
        if (kind != Kind.UPDATE)
            throw new IllegalStateException("the cell was declared for reading: table=" + table.name());
        if (!table.hasKey(record, key, parts))
            throw new IllegalArgumentException("the record has another key: table=" + table.name() + " key="
                    + table.keyText(record) + " cell=" + Table.text(key, parts));
        Table.Binding<T> bound = table.bound(transaction.attempt());
        RowImage image = bound.imageOf(record);
        int now = table.declareUpdate(transaction.txn(), key, parts);
        transaction.write(new PendingWrite<>(table, bound, key, parts, now, PendingWrite.Kind.UPDATE, record, image));
    }

    /**
     * Returns the access that shows the key as the transaction has made it so far. Declaring it again costs nothing.
     */
    private int current() {
        return kind == Kind.DELETE ? access : table.declareRead(transaction.txn(), key, parts);
    }

    /** Returns table and key. Does not show the record, because that would carry out accesses. */
    @Override
    public String toString() {
        return "table=" + table.name() + " key=" + Table.text(key, parts);
    }

    // ---- deletes

    boolean isOf(TableLayout other, long otherKey, RowKey otherParts) {
        return table.layout().id() == other.id() && Table.isSameKey(key, parts, otherKey, otherParts);
    }

    /** Keeps the deleted record before another record takes its place. Waits like {@link #isPresent}. */
    void keep() {
        if (kept == null && isPresent()) kept = get();
    }

    void keep(T record) {
        kept = record;
    }
}
