package tidepool.workload.measured;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

/**
 * Reads rows of a pool at rest. Whoever asks for one key after the other gets them from transactions of several rows; others get
 * each in a transaction of its own. Belongs to the thread or strand that made it.
 */
public final class PoolRows implements RowSource, AutoCloseable {
    private static final int ROWS = 32;
    private static final long BYTES = 16 * 1024;

    private final TableInfo[] tables;
    private final Worker worker;
    private final MemorySegment memory;
    private final Several several = new Several();
    private int current; // of the rows that were read, the one that was asked for

    /** @param tables in the order of their numbers, see {@link PoolTables} */
    public PoolRows(Tidepool pool, List<TableInfo> tables) {
        this.tables = tables.toArray(TableInfo[]::new);
        long longest = 0;
        for (TableInfo each : tables) longest = Math.max(longest, each.valueBytes());
        memory = Arena.ofAuto().allocate(BYTES + longest, 8);
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
        boolean next = tables[table] == several.table && key == several.first + current + 1;
        if (next && current + 1 < several.count) {
            current++;
            return several.found[current];
        }
        several.table = tables[table];
        several.first = key;
        several.count = next ? Math.clamp(BYTES / stride(tables[table]), 1, ROWS) : 1;
        current = 0;
        worker.read(several);
        return several.found[0];
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long value() {
        return current * stride(several.table);
    }

    /** From one row to the next: fields are aligned. */
    private static long stride(TableInfo table) {
        return table.valueBytes() + 7 & ~7;
    }

    /** Rows of one table whose keys follow each other; those that do not exist are not found. */
    private final class Several implements Worker.Work {
        private final int[] access = new int[ROWS];
        private final boolean[] found = new boolean[ROWS];
        private TableInfo table;
        private long first;
        private int count;

        @Override
        public boolean run(Txn txn) {
            for (int i = 0; i < count; i++) access[i] = txn.read(table, first + i);
            if (!txn.execute()) return false;
            for (int i = 0; i < count; i++) {
                found[i] = txn.found(access[i]);
                if (found[i])
                    MemorySegment.copy(
                            txn.memory(), txn.value(access[i]), memory, i * stride(table), table.valueBytes());
            }
            return true;
        }
    }

    /** Gives the worker back. */
    @Override
    public void close() {
        worker.close();
    }
}
