package tidepool.workload.measured;

import java.lang.foreign.MemorySegment;

/** Reads rows one by one, for checks, when nobody works. */
public interface RowSource {
    /** Looks for a row. True if it is there; then its value begins at {@link #value()} in {@link #memory()}. */
    boolean read(int table, long key);

    /** Memory of the row that was read last. */
    MemorySegment memory();

    /** Where in {@link #memory()} the value of the row that was read last begins. */
    long value();
}
