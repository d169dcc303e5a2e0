package tidepool.bench.race;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.Worker;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;

/**
 * Reads the rows of a workload once, so that a coordinator knows their addresses and its caches have grown. It takes
 * the initial rows from the load and reads each where the loader would insert it. Of large tables it reads the first
 * million rows, about as many as a coordinator remembers.
 */
final class WarmupScan implements RowSink, Worker.Work {
    private static final int AT_ONCE = 32;
    private static final long MAX_ROWS = 1_000_000;

    private final MeasuredWorkload workload;
    private final TableLayout[] tables;
    private final MemorySegment ignored;
    private final long[] rows;
    private final int[] table = new int[AT_ONCE];
    private final long[] key = new long[AT_ONCE];
    private int count;
    private Worker worker;

    WarmupScan(MeasuredWorkload workload, List<TableLayout> tables) {
        this.workload = workload;
        this.tables = tables.toArray(TableLayout[]::new);
        this.rows = new long[tables.size()];
        long longest = 8;
        for (TableLayout each : tables) longest = Math.max(longest, each.valueBytes());
        this.ignored = Arena.ofAuto().allocate(longest, 8);
    }

    void run(Worker by) {
        worker = by;
        workload.load(this, 0, 1);
        flush();
    }

    @Override
    public long row(int number, long newKey) {
        ignored.fill((byte) 0);
        if (rows[number]++ >= MAX_ROWS) return 0;
        table[count] = number;
        key[count++] = newKey;
        if (count == AT_ONCE) flush();
        return 0;
    }

    @Override
    public MemorySegment memory() {
        return ignored;
    }

    private void flush() {
        if (count > 0) worker.read(this);
        count = 0;
    }

    @Override
    public boolean run(Txn txn) {
        for (int i = 0; i < count; i++) txn.read(tables[table[i]], key[i]);
        return txn.execute();
    }
}
