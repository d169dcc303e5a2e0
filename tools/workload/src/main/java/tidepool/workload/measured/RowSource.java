package tidepool.workload.measured;

import java.lang.foreign.MemorySegment;

/** Reads rows one by one, for checks, when no client works. */
public interface RowSource {
    /** Looks up a row. Returns true if it exists; then its value begins at {@link #value()} in {@link #memory()}. */
    boolean read(int table, long key);

    /** Returns the memory of the row that was read last. */
    MemorySegment memory();

    /** Returns the offset in {@link #memory()} at which the value of the row that was read last begins. */
    long value();
}
