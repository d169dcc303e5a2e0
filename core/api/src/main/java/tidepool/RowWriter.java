package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.schema.RowKey;

/**
 * A function from an object to the bytes of a row, for loads on fields.
 *
 * <pre>{@code
 * LongField balance = accounts.schema().longField("balance");
 * TableLoader<Long> loader = pool.loader(accounts, (id, key, memory, value) -> {
 *     key.setLong(0, id);
 *     balance.set(memory, value, 100);
 * });
 * }</pre>
 *
 * <p>A {@code ContentField} takes the contents that fit its slot; {@link Table#loader} takes all.
 */
@FunctionalInterface
public interface RowWriter<R> {
    /**
     * Writes a row. If this throws, the row is not added.
     *
     * @param key all parts are to be set; they have the values of an earlier row before
     * @param memory is valid during the call
     * @param value where in memory the value begins, which is all zeros before
     */
    void write(R row, RowKey key, MemorySegment memory, long value);
}
