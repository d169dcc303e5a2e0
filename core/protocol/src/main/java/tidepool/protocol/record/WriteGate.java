package tidepool.protocol.record;

import tidepool.store.TableLayout;

/** The right of a coordinator to write in a partition of a table. */
@FunctionalInterface
public interface WriteGate {
    /** Every coordinator may write everywhere. */
    WriteGate OPEN = (table, partition) -> true;

    /**
     * Whether this coordinator may write in a partition of a table. Asked before anything there is locked. May wait for
     * the memory nodes. Returns false if the attempt was aborted.
     */
    boolean mayWrite(TableLayout table, int partition);
}
