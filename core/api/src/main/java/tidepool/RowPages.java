package tidepool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tidepool.protocol.RowPage;
import tidepool.schema.RowKey;
import tidepool.store.BucketOrder;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;

/**
 * An iteration of all rows of a table, page by page, next to transactions that change the table.
 *
 * <pre>{@code
 * RowPages<Account> pages = accounts.pages(256);
 * while (pages.next()) {
 *     for (Account account : pages.rows()) total += account.balance();
 * }
 * }</pre>
 *
 * <p>Every row that exists during the whole iteration comes exactly once. A row that is inserted or deleted meanwhile
 * comes once or not at all; it may come twice if it is deleted and inserted again. The order is that of the rows in
 * memory, not of their keys.
 *
 * <p>Each page is one read-only transaction: its rows existed at one moment. Under a protocol that keeps versions,
 * Motor or FaRMv2, all pages are of one snapshot: {@link #isSnapshot}. If its versions are gone before the end,
 * {@link #next} ends with a {@link SnapshotLostException}; {@link #perPage} reads each page in a snapshot of its own.
 * Under the other protocols the pages are of different moments, so a transaction that changes two rows may be seen in
 * one and not in the other.
 *
 * <p>While rows of the table move to another layout, because attributes were added or dropped, the rows of before come
 * first. The iteration remembers their keys, so that none comes again when it has moved. It ends with a {@code
 * StoreException} if the table is changed meanwhile, or its last row has moved.
 *
 * <p>An iteration holds nothing between two pages, and need not be closed. It belongs to one thread at a time.
 */
public final class RowPages<R> implements Iterable<R> {
    static final int DEFAULT_ROWS = 256;
    private static final int MAX_ROWS = 10_000;
    private static final int MAX_CHAINS = 256;

    private final Tidepool pool;
    private final TableLayout table;
    private final Set<RowKey> moving = new HashSet<>(); // rows that may have moved since they were read
    private RowPage page;
    private final Reader<R> reader;
    private final ContentTables contents; // null if rows have no long contents
    private final RowKey key;
    private final List<RowKey> keys = new ArrayList<>(); // of the page, if its rows can move
    private List<R> rows = List.of();
    private boolean isPerPage;
    private boolean begun;
    private long snapshot = RowPage.NO_SNAPSHOT;
    private long read;
    private int attempts;
    private int lost; // attempts that did not find the snapshot of the pages before

    /** A function from a row of a page to an object. */
    interface Reader<R> {
        /** Makes the object of a row. The key is filled again for the next row. */
        R read(Transaction transaction, RowKey key, int access);
    }

    /** Returns an iteration on fields. */
    static <R> RowPages<R> ofFields(Tidepool pool, TableLayout table, int rows, RowReader<R> reader) {
        if (reader == null) throw new NullPointerException("a reader of rows is needed: table=" + table.name());
        return new RowPages<>(
                pool,
                table,
                rows,
                null,
                (transaction, key, access) -> reader.read(key, transaction.memory(), transaction.value(access)));
    }

    RowPages(Tidepool pool, TableLayout table, int rows, ContentTables contents, Reader<R> reader) {
        if (rows < 1 || rows > MAX_ROWS)
            throw new IllegalArgumentException("a page has 1 to " + MAX_ROWS + " rows: rows=" + rows);
        this.pool = pool;
        this.table = table;
        this.page = new RowPage(table.before() == null ? table : table.before());
        this.page.wanted = rows;
        this.reader = reader;
        this.contents = contents;
        this.key = table.schema().key().newKey();
    }

    /**
     * Reads each page at a moment of its own, even if the protocol has snapshots. Such an iteration never ends with a
     * {@link SnapshotLostException}. Called before the first page.
     */
    public RowPages<R> perPage() {
        if (begun) throw new IllegalStateException("the iteration has begun: table=" + page.table.name());
        isPerPage = true;
        return this;
    }

    /**
     * Reads the next page, and waits for it. Returns false if there are no more rows. A page ends with the bucket that
     * brings the number of rows that was asked for, or earlier if its rows are large.
     */
    public boolean next() {
        while (page.from != BucketOrder.END || isOfBefore()) {
            if (page.from == BucketOrder.END) beginTable();
            readPage();
            if (!rows.isEmpty()) return true;
        }
        rows = List.of();
        return false;
    }

    /** Returns whether the page is one of rows that have not moved yet. */
    private boolean isOfBefore() {
        return page.table != table;
    }

    /** Begins with the table itself, after the rows that had not moved. */
    private void beginTable() {
        RowPage next = new RowPage(table);
        next.wanted = page.wanted;
        page = next;
    }

    private void readPage() {
        begun = true;
        attempts = 0;
        lost = 0;
        rows = Collections.unmodifiableList(pool.read(this::readPage));
        read += rows.size();
        if (isOfBefore()) moving.addAll(keys);
        page.from = page.next;
        snapshot = page.snapshot;
    }

    /** Reads the page in one attempt. Each attempt that met writers is followed by one for half as many chains. */
    private List<R> readPage(Transaction tx) {
        page.maxChains = Math.max(1, MAX_CHAINS >> Math.min(attempts++, Integer.SIZE - 1));
        page.snapshot = isPerPage ? RowPage.NO_SNAPSHOT : snapshot;
        if (lost > 1 && page.snapshot != RowPage.NO_SNAPSHOT) throw new SnapshotLostException(page.table.name(), read);
        boolean isOfBefore = isOfBefore();
        keys.clear();
        if (!tx.readPage(page, isOfBefore ? table : null)) {
            if (tx.abortReason() == AbortReason.SNAPSHOT_TOO_OLD) lost++;
            throw ConflictSignal.SIGNAL;
        }
        if (contents != null)
            for (int i = 0; i < page.rows(); i++)
                if (tx.found(page.access(i))) tx.contents().declareReads(contents, page.access(i));
        List<R> found = new ArrayList<>(page.rows());
        for (int i = 0; i < page.rows(); i++) {
            int access = page.access(i);
            if (!tx.found(access)) continue;
            tx.key(access, key);
            if (isOfBefore) keys.add(key.copy());
            else if (!moving.isEmpty() && moving.contains(key)) continue;
            found.add(reader.read(tx, key, access));
        }
        return found;
    }

    /** Returns the rows of the page that was read last, in a list that later pages leave as it is. */
    public List<R> rows() {
        return rows;
    }

    /** Returns whether all pages so far are of one snapshot. Otherwise each page is of a moment of its own. */
    public boolean isSnapshot() {
        return begun && !isPerPage && snapshot != RowPage.NO_SNAPSHOT;
    }

    /** Returns the rows of all pages so far. */
    public long rowsRead() {
        return read;
    }

    /** Returns the part of the table that was read so far, 0 to 1. */
    public double progress() {
        double share = BucketOrder.share(page.table, page.from);
        if (table.before() == null) return share;
        return isOfBefore() ? share / 2 : 0.5 + share / 2;
    }

    /**
     * Returns an iterator of the rows that are left. It reads pages as it needs them.
     *
     * <pre>{@code
     * for (Account account : accounts.pages(256)) total += account.balance();
     * }</pre>
     */
    @Override
    public Iterator<R> iterator() {
        return new Iterator<>() {
            private Iterator<R> page = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                if (page.hasNext()) return true;
                if (!RowPages.this.next()) return false;
                page = rows.iterator();
                return true;
            }

            @Override
            public R next() {
                if (!hasNext()) throw new NoSuchElementException("the iteration is at its end");
                return page.next();
            }
        };
    }

    /** Calls an action with each row that is left. */
    @Override
    public void forEach(Consumer<? super R> action) {
        while (next()) rows.forEach(action);
    }

    /** Returns a sequential stream of the rows that are left. It reads pages as it needs them. */
    public Stream<R> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(iterator(), Spliterator.NONNULL | Spliterator.ORDERED), false);
    }
}
