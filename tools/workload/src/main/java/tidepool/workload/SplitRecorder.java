package tidepool.workload;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tidepool.history.MicroOp;
import tidepool.protocol.record.SplitListener;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;

/**
 * Records the splits of the table of {@link RowsWorkload} as transactions of a history. Each has a process number of
 * its own, because it runs between two attempts of a client, whose transaction is open.
 */
final class SplitRecorder implements SplitListener {
    private final RowsWorkload rows;
    private final RecordedWorkload.Pen pen;

    /** The tickets of the splits whose outcome is not known yet, by their transactions. */
    private final Map<Long, Integer> tickets = new ConcurrentHashMap<>();

    SplitRecorder(RowsWorkload rows, RecordedWorkload.Pen pen) {
        this.rows = rows;
        this.pen = pen;
    }

    @Override
    public void commits(long txn, TableLayout table, long from, long fromVersion, long to, long toVersion) {
        if (table.id() != rows.table.id()) return;
        MicroOp split = new MicroOp.Split(rows.bucket(from), txn, fromVersion, rows.bucket(to), toVersion);
        tickets.put(txn, pen.recorder().invoke(pen.processes().getAsLong(), List.of(split)));
    }

    @Override
    public void ended(long txn, Outcome outcome) {
        Integer ticket = tickets.remove(txn);
        if (ticket == null) return; // of another table
        switch (outcome) {
            case COMMITTED -> pen.recorder().ok(ticket);
            case ABORTED -> pen.recorder().fail(ticket);
            case UNKNOWN -> pen.recorder().info(ticket);
        }
    }
}
