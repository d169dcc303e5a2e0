package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.schema.RowImage;
import tidepool.schema.RowKey;

/** A function from an object to a row of a load, with the long contents that the row may have. */
@FunctionalInterface
interface LoadWriter<R> {
    /**
     * Writes a row. If this throws, the row is not added.
     *
     * @param key gets all its parts
     * @param memory gets the value, if the table has no long attributes; all zeros before
     * @param value where in memory the value begins
     * @return the value, if the table has long attributes; otherwise null
     */
    RowImage write(R row, RowKey key, MemorySegment memory, long value);
}
