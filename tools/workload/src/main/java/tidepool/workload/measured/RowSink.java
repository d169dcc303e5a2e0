package tidepool.workload.measured;

import java.lang.foreign.MemorySegment;

/** The destination of the initial rows of a workload. */
public interface RowSink {
    /**
     * Begins a new row and ends the previous one.
     *
     * @param table its number in {@link MeasuredWorkload#tables()}
     * @return the offset in {@link #memory()} at which the row's value begins; the value is all zeros
     */
    long row(int table, long key);

    /** Returns the memory of the current row. */
    MemorySegment memory();
}
