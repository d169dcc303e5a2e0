package tidepool.workload.measured;

import java.lang.foreign.MemorySegment;

/** Where a workload writes its first rows. */
public interface RowSink {
    /**
     * Begins a new row and ends the one before it.
     *
     * @param table its number in {@link MeasuredWorkload#tables()}
     * @return where in {@link #memory()} the row's value begins; it is all zeros
     */
    long row(int table, long key);

    /** Memory of the row that was begun. */
    MemorySegment memory();
}
