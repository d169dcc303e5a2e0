package tidepool;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tidepool.schema.RowKey;
import tidepool.txn.RangeScan;

/**
 * The records of a range, in the order of an index, within a transaction. Records are read page by page as they are
 * asked for.
 *
 * <pre>{@code
 * for (Purchase each : purchases.scan(tx, KeyRange.from(17).to(42))) sum += each.amount();
 * List<Purchase> newest = byCustomer.scan(tx, KeyRange.of(7L)).reversed().limit(10).toList();
 * }</pre>
 *
 * <p>A transaction that commits has seen all records of the range at one moment: if another transaction inserts into
 * the range or deletes from it, one of the two does not commit. A scan sees what its transaction has written before;
 * what it writes while the scan goes on counts for pages that are not read yet. A scan ends with its transaction, which
 * may run again after a conflict: it must not leave the body.
 */
public final class Scan<T extends Record> implements Iterable<T>, AutoCloseable {
    private final Transaction transaction;
    private final Table<T> table;
    private final RangeScan range;
    private boolean hasBegun;
    private boolean isClosed;

    Scan(Transaction transaction, Table<T> table, RangeScan range) {
        this.transaction = transaction;
        this.table = table;
        this.range = range;
    }

    /** Goes from the greatest key to the smallest. Called before the first record. */
    public Scan<T> reversed() {
        requireUnbegun();
        range.reversed();
        return this;
    }

    /** Ends after a number of records. Called before the first record. */
    public Scan<T> limit(long most) {
        requireUnbegun();
        range.limit(most);
        return this;
    }

    private void requireUnbegun() {
        if (hasBegun) throw new IllegalStateException("the scan has begun: table=" + table.name());
    }

    /** Returns the keys of the records. The index has them, so the records are not read. */
    public List<RowKey> keys() {
        requireUnbegun();
        range.keysOnly();
        List<RowKey> keys = new ArrayList<>();
        Iterator<RowKey> all =
                iterator(row -> range.key(row, table.layout().schema().key().newKey()));
        while (all.hasNext()) keys.add(all.next());
        return keys;
    }

    /** Returns all records in a list. */
    public List<T> toList() {
        List<T> records = new ArrayList<>();
        for (T each : this) records.add(each);
        return records;
    }

    /** Returns an iterator, which reads pages as it needs them. A scan has one. */
    @Override
    public Iterator<T> iterator() {
        requireUnbegun();
        return iterator(this::record);
    }

    private T record(int row) {
        RowKey key = range.key(row, table.layout().schema().key().newKey());
        RowKey parts = table.layout().schema().key().isLong() ? null : key;
        return table.decode(transaction, key.word(), parts, range.access(row));
    }

    private <R> Iterator<R> iterator(IntFunction<R> make) {
        hasBegun = true;
        range.begin();
        return new Iterator<>() {
            private int row;

            @Override
            public boolean hasNext() {
                while (row == range.rows()) {
                    if (isClosed || !range.hasNext()) return false;
                    table.page(transaction, range);
                    row = 0;
                }
                return !isClosed;
            }

            @Override
            public R next() {
                if (!hasNext()) throw new NoSuchElementException("the scan is at its end");
                return make.apply(row++);
            }
        };
    }

    /** Returns a stream of the records, in their order. It ends with the transaction. */
    public Stream<T> stream() {
        int traits = Spliterator.NONNULL | Spliterator.ORDERED;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), traits), false)
                .onClose(this::close);
    }

    /** Ends the scan: it reads no more pages. A scan need not be closed. */
    @Override
    public void close() {
        isClosed = true;
    }
}
