package tidepool.spi;

import tidepool.RowPages;
import tidepool.TableLoader;
import tidepool.Transaction;
import tidepool.schema.FieldRow;
import tidepool.schema.RowKey;

/**
 * The rows of a table on fields, with their long contents, for tools that know no record class. Obtained from
 * {@link PoolAccess#fieldRows}; shared by all threads. What a transaction writes here, its tables and cells show.
 *
 * <pre>{@code
 * FieldRows rows = PoolAccess.fieldRows(pool, pool.table("docs"));
 * FieldRow row = pool.read(tx -> rows.get(tx, key));
 * }</pre>
 */
public interface FieldRows {
    /** Reads a row at once; returns null if there is none. */
    FieldRow get(Transaction transaction, RowKey key);

    /** Declares that a row exists afterwards, whether its key existed before or not. */
    void put(Transaction transaction, RowKey key, FieldRow row);

    /** Deletes a row at once. Returns whether there was one. */
    boolean delete(Transaction transaction, RowKey key);

    /**
     * Returns an iteration of all rows, page by page. The objects are made of key and value; the key is filled again
     * for the next row.
     */
    <R> RowPages<R> pages(int rows, Maker<R> maker);

    /** Returns a loader of many rows, which commits them in batches, each with the parts of its contents. */
    <R> TableLoader<R> loader(Writer<R> writer);

    /** A function from an object to a row, for loads. */
    @FunctionalInterface
    interface Writer<R> {
        /** Writes a row: all parts of its key, and its value, which is that of a new row before. */
        void write(R row, RowKey key, FieldRow value);
    }

    /** A function from a row to an object. */
    @FunctionalInterface
    interface Maker<R> {
        /** Makes the object of a row. May be called several times for one row; only the last object counts. */
        R make(RowKey key, FieldRow row);
    }
}
