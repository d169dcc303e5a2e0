package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.schema.RowKey;

/**
 * A function from the bytes of a row to an object, for iterations on fields.
 *
 * <pre>{@code
 * LongField balance = table.schema().longField("balance");
 * RowPages<Long> balances = pool.pages(table, 256, (key, memory, value) -> balance.get(memory, value));
 * }</pre>
 */
@FunctionalInterface
public interface RowReader<R> {
    /**
     * Makes the object of a row. May be called several times for one row; only the last object counts.
     *
     * @param key is filled again for the next row; {@link RowKey#copy} keeps it
     * @param memory is valid during the call
     * @param value where in memory the value begins
     */
    R read(RowKey key, MemorySegment memory, long value);
}
