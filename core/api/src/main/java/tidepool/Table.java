package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import tidepool.schema.RecordCodec;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/**
 * The records of one type in a pool. Shared by all threads. Every access happens inside a {@link Transaction}, and sees
 * the earlier effects of that transaction.
 *
 * <pre>{@code
 * Table<Account> accounts = pool.table("accounts", Account.class);
 * pool.transact(tx -> accounts.put(tx, new Account(17, 100)));
 * }</pre>
 */
public final class Table<T extends Record> {
    private final TableLayout layout;
    private final RecordCodec<T> codec;

    Table(TableLayout layout, RecordCodec<T> codec) {
        this.layout = layout;
        this.codec = codec;
    }

    /** Returns its name in the pool. */
    public String name() {
        return layout.name();
    }

    /** Returns the table for the API on fields: {@link Worker} and {@link Transaction#raw}. */
    public TableHandle handle() {
        return layout;
    }

    TableLayout layout() {
        return layout;
    }

    /** Declares that a record is read. */
    public Cell<T> read(Transaction transaction, long key) {
        return new Cell<>(transaction, this, key, transaction.txn().read(layout, key), Cell.Kind.READ);
    }

    /** Declares that a record is locked, read and changed. */
    public Cell<T> update(Transaction transaction, long key) {
        return new Cell<>(transaction, this, key, transaction.txn().update(layout, key), Cell.Kind.UPDATE);
    }

    /**
     * Declares a new record. If its key exists, the transaction ends with {@link DuplicateKeyException}: here, or when
     * the access is carried out.
     */
    public void insert(Transaction transaction, T record) {
        long key = keyOf(record);
        transaction.write(
                new PendingWrite<>(this, key, transaction.txn().insert(layout, key), PendingWrite.Kind.INSERT, record));
    }

    /** Declares that a record exists afterwards, whether its key existed before or not. */
    public void put(Transaction transaction, T record) {
        long key = keyOf(record);
        transaction.write(
                new PendingWrite<>(this, key, transaction.txn().put(layout, key), PendingWrite.Kind.PUT, record));
    }

    /** Declares that a record is deleted. The cell tells whether there was one, and shows it. */
    public Cell<T> delete(Transaction transaction, long key) {
        T last = transaction.pending(this, key);
        Cell<T> cell = new Cell<>(transaction, this, key, transaction.txn().delete(layout, key), Cell.Kind.DELETE);
        transaction.deletes(cell);
        if (last != null) cell.keep(last);
        return cell;
    }

    /** Reads a record at once; returns null if there is none. */
    public T get(Transaction transaction, long key) {
        return get(transaction, key, transaction.txn().read(layout, key));
    }

    /**
     * Reads several records at once, in as many round trips as one. Returns those of {@code keys} in their order, null
     * where there is none. All accesses that were declared before are carried out with them.
     */
    public List<T> getAll(Transaction transaction, long... keys) {
        if (keys == null) throw new NullPointerException("keys are needed: table=" + name());
        int[] accesses = new int[keys.length];
        for (int i = 0; i < keys.length; i++) accesses[i] = transaction.txn().read(layout, keys[i]);
        List<T> records = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) records.add(get(transaction, keys[i], accesses[i]));
        return records;
    }

    /**
     * Reads a record at once. Costs what {@link #get} costs.
     *
     * <pre>{@code
     * long balance = accounts.find(tx, 17).map(Account::balance).orElse(0L);
     * }</pre>
     */
    public Optional<T> find(Transaction transaction, long key) {
        return Optional.ofNullable(get(transaction, key));
    }

    /**
     * Returns whether there is a record, without decoding it. Costs the round trips of {@link #get}.
     *
     * <pre>{@code
     * if (accounts.exists(tx, 17)) throw new Rollback("account 17 is taken");
     * }</pre>
     */
    public boolean exists(Transaction transaction, long key) {
        return transaction.found(transaction.txn().read(layout, key));
    }

    /**
     * Inserts a record if its key is new. Otherwise replaces the existing record by what {@code change} makes of it.
     * Returns the record that the table has then. Costs the round trips of {@link #put}, and carries out all accesses
     * that were declared before.
     *
     * <pre>{@code
     * counters.upsert(tx, new Counter(page, 1), old -> new Counter(page, old.hits() + 1));
     * }</pre>
     *
     * <p>If {@code change} throws, the record stays as it is and the exception comes out here.
     *
     * @param change makes the new record from the existing one; it has the same key, and is not null
     */
    public T upsert(Transaction transaction, T fresh, UnaryOperator<T> change) {
        long key = keyOf(fresh);
        if (change == null) throw new NullPointerException("a change is needed: table=" + name());
        int access = transaction.txn().put(layout, key);
        T record = fresh;
        if (transaction.found(access)) {
            record = change.apply(get(transaction, key, access));
            requireKey(record, key);
        }
        // What the change has done in this transaction counts too, so the access is declared again.
        put(transaction, record);
        return record;
    }

    /**
     * Returns the record of a key; makes and inserts it if there is none. Carries out all accesses that were declared
     * before. Costs the round trips of {@link #insert} if there is no record. If there is one, it is not locked, and
     * costs one round trip more than a {@link #get}, which looks its bucket up. A read-only transaction refuses both.
     *
     * <pre>{@code
     * Counter counter = counters.computeIfAbsent(tx, page, key -> new Counter(key, 0));
     * }</pre>
     *
     * <p>If {@code make} throws, nothing is inserted and the exception comes out here. While {@code make} runs, the key
     * is inserted already and its fields are zeros, so {@code make} must not access this key. It may access others.
     *
     * @param make makes the record of the key; it is not null
     */
    public T computeIfAbsent(Transaction transaction, long key, LongFunction<T> make) {
        if (make == null) throw new NullPointerException("a maker of records is needed: table=" + name());
        int access = transaction.txn().insert(layout, key);
        if (transaction.found(access)) return get(transaction, key, access);
        T record;
        try {
            record = make.apply(key);
            requireKey(record, key);
        } catch (Throwable e) {
            transaction.takeBack(layout, key); // otherwise a body that catches this would insert zeros
            throw e;
        }
        put(transaction, record);
        return record;
    }

    private void requireKey(T record, long key) {
        if (keyOf(record) != key)
            throw new IllegalArgumentException(
                    "the record has another key: table=" + name() + " key=" + keyOf(record) + " expected=" + key);
    }

    /** Returns the schema and the room, such as {@code accounts(balance:long) rows=1000}. */
    @Override
    public String toString() {
        return layout.toString();
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
