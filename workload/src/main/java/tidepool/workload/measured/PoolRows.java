package tidepool.workload.measured;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

/** Reads rows of a pool, each in a transaction of its own. Belongs to the thread or strand that made it. */
public final class PoolRows implements RowSource, AutoCloseable {
    private final TableInfo[] tables;
    private final Worker worker;
    private final MemorySegment row;
    private final One one = new One();

    /** @param tables in the order of their numbers, see {@link PoolTables} */
    public PoolRows(Tidepool pool, List<TableInfo> tables) {
        this.tables = tables.toArray(TableInfo[]::new);
        long longest = 0;
        for (TableInfo each : tables) longest = Math.max(longest, each.valueBytes());
        row = Arena.ofAuto().allocate(longest, 8);
        worker = pool.worker();
    }

    /** Checks a workload. Returns what is wrong, a sentence each. Waits. */
    public static List<String> check(Tidepool pool, List<TableInfo> tables, MeasuredWorkload workload, long[] book) {
        try (PoolRows rows = new PoolRows(pool, tables)) {
            return workload.check(rows, book);
        }
    }

    @Override
    public boolean read(int table, long key) {
        one.table = tables[table];
        one.key = key;
        worker.read(one);
        return one.found;
    }

    @Override
    public MemorySegment memory() {
        return row;
    }

    @Override
    public long value() {
        return 0;
    }

    private final class One implements Worker.Work {
        private TableInfo table;
        private long key;
        private boolean found;

        @Override
        public boolean run(Txn txn) {
            int access = txn.read(table, key);
            if (!txn.execute()) return false;
            found = txn.found(access);
            if (found) MemorySegment.copy(txn.memory(), txn.value(access), row, 0, table.valueBytes());
            return true;
        }
    }

    /** Gives the worker back. */
    @Override
    public void close() {
        worker.close();
    }
}
