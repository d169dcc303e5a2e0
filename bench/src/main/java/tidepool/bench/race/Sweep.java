package tidepool.bench.race;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.Worker;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;

/**
 * Reads the rows of a workload once, so that a coordinator knows where they lie and its caches have grown: it is the list
 * of first rows, read where the loader would insert. Of large tables the first million, about as many as a coordinator
 * remembers.
 */
final class Sweep implements RowSink, Worker.Work {
    private static final int AT_ONCE = 32;
    private static final long MOST_ROWS = 1_000_000;

    private final MeasuredWorkload workload;
    private final TableInfo[] tables;
    private final MemorySegment ignored;
    private final long[] rows;
    private final int[] table = new int[AT_ONCE];
    private final long[] key = new long[AT_ONCE];
    private int count;
    private Worker worker;

    Sweep(MeasuredWorkload workload, List<TableInfo> tables) {
        this.workload = workload;
        this.tables = tables.toArray(TableInfo[]::new);
        this.rows = new long[tables.size()];
        long longest = 8;
        for (TableInfo each : tables) longest = Math.max(longest, each.valueBytes());
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
        if (rows[number]++ >= MOST_ROWS) return 0;
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
