package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import tidepool.schema.AssembledRow;
import tidepool.schema.IndexSchema;
import tidepool.schema.KeySchema;
import tidepool.schema.MisfitException;
import tidepool.schema.RecordCodec;
import tidepool.schema.RowImage;
import tidepool.schema.RowKey;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

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
    private final Tidepool pool;

    /** The table as it was after the last change of tables that was seen here. */
    private volatile Binding<T> binding;

    /**
     * A version of the table, and how records are made of its rows. It holds for attempts of one generation of tables.
     *
     * @param codec null for a table on fields
     * @param contents the tables of the parts of long contents; null if no attribute can have any
     */
    record Binding<T extends Record>(TableLayout layout, RecordCodec<T> codec, ContentTables contents, int generation) {
        /**
         * Encodes a record of a table with long attributes or another schema, and refuses one that does not fit.
         * Returns null for other tables.
         */
        RowImage imageOf(T record) {
            return contents == null && !codec.isMapped() ? null : codec.image(record);
        }
    }

    /** Memory for one row with its contents. */
    private final AtomicReference<AssembledRow> assembled = new AtomicReference<>();

    Table(Tidepool pool, Binding<T> binding) {
        this.pool = pool;
        this.binding = binding;
    }

    /** Returns its name in the pool. */
    public String name() {
        return layout().name();
    }

    /**
     * Returns the table as an attempt knows it. If tables were changed, it is looked up again, and the record class is
     * compared with the new schema. An attempt that began before that is over.
     */
    Binding<T> bound(TxnAttempt attempt) {
        Binding<T> now = binding;
        if (now.generation == attempt.generation()) return now;
        now = current();
        if (now.generation == attempt.generation()) return now;
        throw attempt.outdated();
    }

    /** Returns the table as this process knows it. Waits for the catalog if tables were changed. */
    private Binding<T> current() {
        TableRegistry tables = pool.knownTables();
        while (true) {
            Binding<T> had = binding;
            int generation = tables.generation();
            if (had.generation == generation) return had;
            TableLayout layout = tables.latest(had.layout);
            // After two changes the table may have the number that it had, with another layout.
            RecordCodec<T> codec = layout.isOfTable(had.layout) ? had.codec : codecOf(had, layout);
            ContentTables contents = tables.contents(layout);
            if (tables.generation() == generation) binding = new Binding<>(layout, codec, contents, generation);
        }
    }

    /** Refuses a record class that does not fit the later version of the table. */
    private static <T extends Record> RecordCodec<T> codecOf(Binding<T> had, TableLayout layout) {
        try {
            if (had.codec != null) return RecordCodec.of(had.codec.type(), layout.schema());
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    StoreException.Reason.MISMATCH, "table " + layout.name() + " was altered: " + e.getMessage());
        }
        throw new StoreException(
                StoreException.Reason.MISMATCH,
                "table " + layout.name() + " was altered: open it again; stored=" + layout.schema() + " here="
                        + had.layout.schema());
    }

    /** Returns the table for the API on fields: {@link Worker} and {@link Transaction#raw}. */
    public TableHandle handle() {
        return layout();
    }

    TableLayout layout() {
        return binding.layout;
    }

    ContentTables contents() {
        return binding.contents;
    }

    /** Returns whether the record class is of another version of the schema. */
    boolean isMapped() {
        RecordCodec<T> codec = binding.codec;
        return codec != null && codec.isMapped();
    }

    /** Declares that a record is read. */
    public Cell<T> read(Transaction transaction, long key) {
        return isLong() ? read(transaction, key, null) : read(transaction, (Object) narrow(key));
    }

    /**
     * Declares that a record is read, by the parts of its key.
     *
     * <pre>{@code
     * Cell<Line> line = lines.read(tx, "A-1009", 3);
     * }</pre>
     */
    public Cell<T> read(Transaction transaction, Object... key) {
        RowKey parts = partsOf(key);
        return read(transaction, parts.word(), orNull(parts));
    }

    private Cell<T> read(Transaction transaction, long key, RowKey parts) {
        int access = declareRead(transaction.txn(), key, parts);
        return new Cell<>(transaction, this, key, parts, access, Cell.Kind.READ);
    }

    /** Declares that a record is locked, read and changed. */
    public Cell<T> update(Transaction transaction, long key) {
        return isLong() ? update(transaction, key, null) : update(transaction, (Object) narrow(key));
    }

    /** Declares that a record is locked, read and changed, by the parts of its key. */
    public Cell<T> update(Transaction transaction, Object... key) {
        RowKey parts = partsOf(key);
        return update(transaction, parts.word(), orNull(parts));
    }

    private Cell<T> update(Transaction transaction, long key, RowKey parts) {
        int access = declareUpdate(transaction.txn(), key, parts);
        return new Cell<>(transaction, this, key, parts, access, Cell.Kind.UPDATE);
    }

    /**
     * Declares a new record. If its key exists, the transaction ends with {@link DuplicateKeyException}: here, or when
     * the access is carried out.
     */
    public void insert(Transaction transaction, T record) {
        RowKey parts = partsOf(record);
        long key = wordOf(record, parts);
        Binding<T> bound = bound(transaction.attempt());
        bound.codec.requireWhole();
        RowImage image = bound.imageOf(record);
        int access = declareInsert(transaction.txn(), key, parts);
        transaction.write(new PendingWrite<>(this, bound, key, parts, access, PendingWrite.Kind.INSERT, record, image));
    }

    /** Declares that a record exists afterwards, whether its key existed before or not. */
    public void put(Transaction transaction, T record) {
        put(transaction, record, PendingWrite.Kind.PUT);
    }

    private void put(Transaction transaction, T record, PendingWrite.Kind kind) {
        RowKey parts = partsOf(record);
        long key = wordOf(record, parts);
        Binding<T> bound = bound(transaction.attempt());
        RowImage image = bound.imageOf(record);
        int access = declarePut(transaction.txn(), key, parts);
        transaction.write(new PendingWrite<>(this, bound, key, parts, access, kind, record, image));
    }

    /** Declares that a record is deleted. The cell tells whether there was one, and shows it. */
    public Cell<T> delete(Transaction transaction, long key) {
        return isLong() ? delete(transaction, key, null) : delete(transaction, (Object) narrow(key));
    }

    /** Declares that a record is deleted, by the parts of its key. */
    public Cell<T> delete(Transaction transaction, Object... key) {
        RowKey parts = partsOf(key);
        return delete(transaction, parts.word(), orNull(parts));
    }

    Cell<T> deleteByKey(Transaction transaction, RowKey key) {
        RowKey own = requireOwn(key).copy();
        return delete(transaction, own.word(), orNull(own));
    }

    private Cell<T> delete(Transaction transaction, long key, RowKey parts) {
        ContentTables contents = bound(transaction.attempt()).contents;
        // A row with parts is carried out before it is deleted: otherwise its old parts would never be known.
        if (contents != null && transaction.isPending(this, key, parts)) transaction.execute();
        T last = transaction.pending(this, key, parts);
        int access = declareDelete(transaction.attempt(), key, parts);
        Cell<T> cell = new Cell<>(transaction, this, key, parts, access, Cell.Kind.DELETE);
        transaction.deletes(cell);
        if (contents != null) transaction.contents().deletes(contents, access);
        if (last != null) cell.keep(last);
        return cell;
    }

    /** Reads a record at once; returns null if there is none. */
    public T get(Transaction transaction, long key) {
        if (!isLong()) return get(transaction, (Object) narrow(key));
        return get(transaction, key, null, declareRead(transaction.txn(), key, null));
    }

    /**
     * Reads a record at once, by the parts of its key; returns null if there is none.
     *
     * <pre>{@code
     * Customer alice = customers.get(tx, "alice");
     * Line line = lines.get(tx, "A-1009", 3);
     * }</pre>
     */
    public T get(Transaction transaction, Object... key) {
        RowKey parts = partsOf(key);
        long word = parts.word();
        return get(transaction, word, orNull(parts), declareRead(transaction.txn(), word, orNull(parts)));
    }

    /**
     * Reads several records at once, in as many round trips as one. Returns those of {@code keys} in their order, null
     * where there is none. All accesses that were declared before are carried out with them.
     */
    public List<T> getAll(Transaction transaction, long... keys) {
        if (keys == null) throw new NullPointerException("keys are needed: table=" + name());
        if (!isLong())
            return getAll(
                    transaction, LongStream.of(keys).mapToObj(this::narrow).toList());
        int[] accesses = new int[keys.length];
        for (int i = 0; i < keys.length; i++) accesses[i] = declareRead(transaction.txn(), keys[i], null);
        declareContents(transaction, accesses);
        List<T> records = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) records.add(get(transaction, keys[i], null, accesses[i]));
        return records;
    }

    /**
     * Reads several records at once, by keys of any parts.
     *
     * <pre>{@code
     * List<Line> both = lines.getAll(tx, List.of(lines.key("A-1009", 1), lines.key("A-1009", 2)));
     * }</pre>
     */
    public List<T> getAll(Transaction transaction, Collection<RowKey> keys) {
        if (keys == null) throw new NullPointerException("keys are needed: table=" + name());
        int[] accesses = new int[keys.size()];
        int count = 0;
        for (RowKey key : keys)
            accesses[count++] = declareRead(transaction.txn(), requireOwn(key).word(), orNull(key));
        declareContents(transaction, accesses);
        List<T> records = new ArrayList<>(accesses.length);
        for (RowKey key : keys) records.add(get(transaction, key.word(), orNull(key), accesses[records.size()]));
        return records;
    }

    /** Declares the parts of all rows, so that they are read together. */
    private void declareContents(Transaction transaction, int[] accesses) {
        ContentTables contents = bound(transaction.attempt()).contents;
        if (contents == null) return;
        for (int access : accesses)
            if (transaction.found(access)) transaction.contents().declareReads(contents, access);
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

    /** Reads a record at once, by the parts of its key. Costs what {@link #get} costs. */
    public Optional<T> find(Transaction transaction, Object... key) {
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
        if (!isLong()) return exists(transaction, (Object) narrow(key));
        return transaction.found(declareRead(transaction.txn(), key, null));
    }

    /** Returns whether there is a record, by the parts of its key. Costs the round trips of {@link #get}. */
    public boolean exists(Transaction transaction, Object... key) {
        RowKey parts = partsOf(key);
        return transaction.found(declareRead(transaction.txn(), parts.word(), orNull(parts)));
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
        RowKey parts = partsOf(fresh);
        long key = wordOf(fresh, parts);
        if (change == null) throw new NullPointerException("a change is needed: table=" + name());
        int access = declarePut(transaction.txn(), key, parts);
        T record = fresh;
        boolean exists = transaction.found(access);
        if (exists) {
            record = change.apply(get(transaction, key, parts, access));
            requireKey(record, key, parts);
        }
        // What the change has done in this transaction counts too, so the access is declared again.
        put(transaction, record, exists ? PendingWrite.Kind.PUT : PendingWrite.Kind.NEW);
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
        if (!isLong()) return computeIfAbsent(transaction, narrow(key), _ -> make.apply(key));
        return computeIfAbsent(transaction, key, null, () -> make.apply(key));
    }

    /**
     * Returns the record of a key of any parts; makes and inserts it if there is none. See {@link
     * #computeIfAbsent(Transaction, long, LongFunction)}.
     *
     * <pre>{@code
     * Visits visits = pages.computeIfAbsent(tx, pages.key("/home"), key -> new Visits("/home", 0));
     * }</pre>
     */
    public T computeIfAbsent(Transaction transaction, RowKey key, Function<RowKey, T> make) {
        if (make == null) throw new NullPointerException("a maker of records is needed: table=" + name());
        RowKey own = requireOwn(key).copy();
        return computeIfAbsent(transaction, own.word(), orNull(own), () -> make.apply(own));
    }

    private T computeIfAbsent(Transaction transaction, long key, RowKey parts, Supplier<T> make) {
        int access = declareInsert(transaction.txn(), key, parts);
        if (transaction.found(access)) return get(transaction, key, parts, access);
        T record;
        try {
            record = make.get();
            requireKey(record, key, parts);
        } catch (Throwable e) {
            transaction.takeBack(this, key, parts); // otherwise a body that catches this would insert zeros
            throw e;
        }
        put(transaction, record, PendingWrite.Kind.NEW);
        return record;
    }

    /**
     * Returns a key of this table, for {@link #getAll} and the API on fields.
     *
     * @param parts the parts of the key in their order; one number if the key is a {@code long} or an {@code int}
     */
    public RowKey key(Object... parts) {
        return layout().schema().key().keyOf(parts);
    }

    // ---- all rows

    /**
     * Returns an iteration of all rows, page by page. {@link RowPages} says what it sees next to transactions that
     * change the table.
     *
     * @param rows the number of rows of a page, 1 to 10,000; a page may have some more or less
     */
    public RowPages<T> pages(int rows) {
        return pages(rows, (transaction, key, access) -> {
            boolean isKept = bound(transaction.attempt()).contents != null;
            RowKey parts = layout().schema().key().isLong() ? null : isKept ? key.copy() : key;
            return decode(transaction, key.word(), parts, access);
        });
    }

    <R> RowPages<R> pages(int rows, RowPages.Reader<R> reader) {
        Binding<T> now = current();
        return new RowPages<>(pool, pool.knownTables().require(now.layout), rows, now.contents, reader);
    }

    /**
     * Calls an action with every row, outside of transactions; see {@link #pages}.
     *
     * <pre>{@code
     * accounts.forEach(account -> System.out.println(account));
     * }</pre>
     */
    public void forEach(Consumer<? super T> action) {
        pages(RowPages.DEFAULT_ROWS).forEach(action);
    }

    /**
     * Returns a stream of all rows, which are read as the stream needs them; see {@link #pages}.
     *
     * <pre>{@code
     * long total = accounts.stream().mapToLong(Account::balance).sum();
     * }</pre>
     */
    public Stream<T> stream() {
        return pages(RowPages.DEFAULT_ROWS).stream();
    }

    /**
     * Returns a loader of many rows, which commits them in batches.
     *
     * <pre>{@code
     * try (TableLoader<Account> loader = accounts.loader()) {
     *     for (Account account : source) loader.add(account);
     *     loader.finish();
     * }
     * }</pre>
     */
    public TableLoader<T> loader() {
        Binding<T> now = current();
        boolean isLong = now.layout.schema().key().isLong();
        RecordCodec<T> codec = now.codec;
        codec.requireWhole();
        return new TableLoader<>(pool, this, (record, key, memory, value) -> {
            if (isLong) key.setWord(codec.key(record));
            else key.setFrom(codec.rowKey(record));
            if (now.contents != null) return codec.image(record);
            codec.encode(record, memory, value);
            return null;
        });
    }

    // ---- in order

    /**
     * Returns the records of a range of keys, in their order. The record class is {@link tidepool.schema.Ordered}.
     *
     * <pre>{@code
     * for (Purchase each : purchases.scan(tx, KeyRange.from(17).to(42))) sum += each.amount();
     * }</pre>
     */
    public Scan<T> scan(Transaction transaction, KeyRange range) {
        return index(IndexSchema.PRIMARY).scan(transaction, range);
    }

    /** Returns the record with the smallest key of a range; null if there is none. */
    public T first(Transaction transaction, KeyRange range) {
        return index(IndexSchema.PRIMARY).first(transaction, range);
    }

    /** Returns the record with the greatest key of a range; null if there is none. */
    public T last(Transaction transaction, KeyRange range) {
        return index(IndexSchema.PRIMARY).last(transaction, range);
    }

    /** Returns an index of this table. Refuses an unknown name with those that there are. */
    public TableIndex<T> index(String name) {
        current();
        return new TableIndex<>(this, name);
    }

    /** Reads the next page of a scan, with the long contents of its rows. */
    void page(Transaction transaction, RangeScan range) {
        transaction.scan(range);
        ContentTables contents = bound(transaction.attempt()).contents;
        if (contents == null || range.isKeysOnly()) return;
        for (int i = 0; i < range.rows(); i++) transaction.contents().declareReads(contents, range.access(i));
    }

    // ---- keys: a long is passed as it is, without an object; its parts are null then

    private RowKey partsOf(Object[] parts) {
        return parts != null && parts.length == 1 && parts[0] instanceof RowKey one
                ? requireOwn(one).copy()
                : key(parts);
    }

    RowKey requireOwn(RowKey key) {
        if (key == null) throw new NullPointerException("a key is needed: table=" + name());
        if (key.schema().equals(layout().schema().key())) return key;
        throw new IllegalArgumentException(
                "a key of table " + name() + " is " + layout().schema().key() + ", not " + key.schema());
    }

    /** Returns the parts of the key of a record; null if the key is one long. */
    private RowKey partsOf(T record) {
        if (record == null) throw new NullPointerException("a record is needed: table=" + name());
        return layout().schema().key().isLong() ? null : binding.codec.rowKey(record);
    }

    private long wordOf(T record, RowKey parts) {
        return parts == null ? binding.codec.key(record) : parts.word();
    }

    private RowKey orNull(RowKey parts) {
        return layout().schema().key().isLong() ? null : parts;
    }

    private boolean isLong() {
        return layout().schema().key().isLong();
    }

    /**
     * Returns the key of a table whose key is one {@code byte}, {@code short} or {@code char}. For these Java prefers
     * the methods that take a {@code long} to those that take parts.
     */
    private RowKey narrow(long key) {
        KeySchema keys = layout().schema().key();
        boolean isNumber = keys.parts() == 1
                && switch (keys.type(0).kind()) {
                    case BYTE, SHORT, CHAR -> true;
                    default -> false;
                };
        if (isNumber) return keys.newKey().setLong(0, key);
        throw new IllegalArgumentException("a key of table " + name() + " is " + keys + ", not a long: key=" + key);
    }

    static boolean isSameKey(long one, RowKey oneParts, long other, RowKey otherParts) {
        return one == other && (oneParts == null || otherParts == null || oneParts.equals(otherParts));
    }

    static String text(long key, RowKey parts) {
        return parts == null ? Long.toString(key) : parts.toString();
    }

    String keyText(T record) {
        RowKey parts = partsOf(record);
        return text(wordOf(record, parts), parts);
    }

    boolean hasKey(T record, long key, RowKey parts) {
        RowKey own = partsOf(record);
        return isSameKey(wordOf(record, own), own, key, parts);
    }

    private void requireKey(T record, long key, RowKey parts) {
        if (!hasKey(record, key, parts))
            throw new IllegalArgumentException("the record has another key: table=" + name() + " key=" + keyText(record)
                    + " expected=" + text(key, parts));
    }

    // ---- declarations: only a wide key is passed as an object

    private static boolean isWide(RowKey parts) {
        return parts != null && parts.schema().isWide();
    }

    private TableLayout layout(Txn txn) {
        return bound((TxnAttempt) txn).layout; // a transaction gives its attempt
    }

    int declareRead(Txn txn, long key, RowKey parts) {
        return isWide(parts) ? txn.read(layout(txn), parts) : txn.read(layout(txn), key);
    }

    int declareUpdate(Txn txn, long key, RowKey parts) {
        return isWide(parts) ? txn.update(layout(txn), parts) : txn.update(layout(txn), key);
    }

    int declareInsert(Txn txn, long key, RowKey parts) {
        return isWide(parts) ? txn.insert(layout(txn), parts) : txn.insert(layout(txn), key);
    }

    int declarePut(Txn txn, long key, RowKey parts) {
        return isWide(parts) ? txn.put(layout(txn), parts) : txn.put(layout(txn), key);
    }

    /** The layer of records deletes the parts of the row as well. */
    int declareDelete(TxnAttempt attempt, long key, RowKey parts) {
        return isWide(parts) ? attempt.deleteRow(layout(attempt), parts) : attempt.deleteRow(layout(attempt), key);
    }

    /** Returns the schema and the room, such as {@code accounts(balance:long) rows=1000}. */
    @Override
    public String toString() {
        return layout().toString();
    }

    private T get(Transaction transaction, long key, RowKey parts, int access) {
        if (!transaction.found(access)) return null;
        return decode(transaction, key, parts, access);
    }

    /** Returns the record class; null if there is none. */
    Class<T> type() {
        RecordCodec<T> codec = binding.codec;
        return codec == null ? null : codec.type();
    }

    /**
     * Returns the record of an access that was carried out and found; null without a record class. Waits for long
     * contents.
     */
    T decode(Transaction transaction, long key, RowKey parts, int access) {
        Binding<T> bound = bound(transaction.attempt());
        if (bound.codec == null) return null;
        if (bound.contents == null) return decode(bound, key, parts, transaction.memory(), transaction.value(access));
        AssembledRow row = assembled.getAndSet(null);
        if (row == null || !row.isOf(bound.layout.schema())) row = new AssembledRow(bound.layout.schema());
        try {
            transaction.contents().assemble(bound.contents, key, parts, access, row);
            return decode(bound, key, parts, row.memory(), 0);
        } finally {
            assembled.set(row);
        }
    }

    private T decode(Binding<T> bound, long key, RowKey parts, MemorySegment memory, long offset) {
        try {
            return parts == null ? bound.codec.decode(key, memory, offset) : bound.codec.decode(parts, memory, offset);
        } catch (MisfitException e) {
            throw new StoreException(
                    StoreException.Reason.MISMATCH,
                    "a row does not fit " + bound.codec.type().getName() + ": table=" + name() + " key="
                            + text(key, parts) + ": " + e.getMessage());
        }
    }
}
