package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;

/** The rows of the table of a cluster whose history is judged, as they lie in memory. */
interface JudgedRows {
    /** Returns the schema of the table, which has its name. */
    Schema schema();

    /** Returns the key as the history knows it. */
    long placeOf(RowKey key);

    /** Returns the word of a key of the history, by which its bucket is found. */
    long wordOf(long place);

    /** Returns the transaction that has written a value. */
    long writer(MemorySegment memory, long value);

    /** Returns a checksum of a value, or null if only transactions can read all of it. */
    Long sum(MemorySegment memory, long value);
}
