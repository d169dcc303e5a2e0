package tidepool;

import java.util.Iterator;
import tidepool.txn.RangeScan;

/**
 * An index of a table: its records in the order of some of their attributes. It is maintained by the transactions that
 * write the table.
 *
 * <pre>{@code
 * TableIndex<Purchase> byCustomer = purchases.index("by_customer");
 *
 * Purchase last = byCustomer.last(tx, KeyRange.of(7L));
 * }</pre>
 */
public final class TableIndex<T extends Record> {
    private final Table<T> table;
    private final String name;

    TableIndex(Table<T> table, String name) {
        this.table = table;
        this.name = name;
        table.layout().schema().index(name);
    }

    /** Returns its name in the table. */
    public String name() {
        return name;
    }

    /** Returns the records of a range, in the order of the index. */
    public Scan<T> scan(Transaction transaction, KeyRange range) {
        return new Scan<>(transaction, table, range(transaction, range));
    }

    /** Returns the first record of a range; null if there is none. */
    public T first(Transaction transaction, KeyRange range) {
        return one(scan(transaction, range));
    }

    /** Returns the last record of a range; null if there is none. */
    public T last(Transaction transaction, KeyRange range) {
        return one(scan(transaction, range).reversed());
    }

    /**
     * Returns the first record whose columns begin with these values; null if there is none. For an index that is
     * unique there is no other.
     */
    public T get(Transaction transaction, Object... values) {
        return first(transaction, KeyRange.of(values));
    }

    private T one(Scan<T> scan) {
        Iterator<T> records = scan.limit(1).iterator();
        return records.hasNext() ? records.next() : null;
    }

    private RangeScan range(Transaction transaction, KeyRange range) {
        if (range == null) throw new NullPointerException("a range is needed: index=" + name);
        RangeScan scan = new RangeScan(table.bound(transaction.attempt()).layout(), name);
        range.applyTo(scan);
        return scan;
    }

    /** Returns table and definition. */
    @Override
    public String toString() {
        return table.name() + ": " + table.layout().schema().index(name).text();
    }
}
