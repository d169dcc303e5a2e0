package tidepool.workload.measured;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

/**
 * Reads rows of a pool at rest. Whoever asks for one key of a table after the other, with small gaps, gets them from transactions of
 * many rows, of each table apart: checks go through several tables at once, and over a network a trip for each row takes minutes.
 * Others get each row in a transaction of its own. Belongs to the thread or strand that made it.
 */
public final class PoolRows implements RowSource, AutoCloseable {
    private static final int ROWS = 64;
    private static final long BYTES = 32 * 1024;

    /** Keys may leave out so many and still follow each other. */
    private static final int GAP = 2;

    private final Window[] windows;
    private final Worker worker;
    private final MemorySegment memory;
    private Window current; // of the row that was read last

    /** @param tables in the order of their numbers, see {@link PoolTables} */
    public PoolRows(Tidepool pool, List<TableInfo> tables) {
        windows = new Window[tables.size()];
        long bytes = 0;
        for (int i = 0; i < windows.length; i++) {
            windows[i] = new Window(tables.get(i), bytes);
            bytes += windows[i].rows * windows[i].stride;
        }
        memory = Arena.ofAuto().allocate(bytes, 8);
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
        current = windows[table];
        if (!current.has(key)) {
            current.moveTo(key);
            worker.read(current);
        }
        return current.select(key);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long value() {
        return current.at(current.selected);
    }

    /** Rows of one table whose keys follow each other; those that do not exist are not found. */
    private final class Window implements Worker.Work {
        private final TableInfo table;
        private final long base;
        private final long stride; // from one row to the next: fields are aligned
        private final int rows;
        private final int[] access = new int[ROWS];
        private final boolean[] found = new boolean[ROWS];
        private long first;
        private int count;
        private int selected;

        Window(TableInfo table, long base) {
            this.table = table;
            this.base = base;
            stride = table.valueBytes() + 7 & ~7;
            rows = Math.clamp(BYTES / stride, 1, ROWS);
        }

        /** Keys may be any number: the distance of two of them may be larger than the largest. */
        boolean has(long key) {
            return Long.compareUnsigned(key - first, count) < 0;
        }

        /** Many rows, if the key goes on where this window ends. */
        void moveTo(long key) {
            long skipped = key - (first + count);
            boolean goesOn = count > 0 && skipped >= 0 && skipped <= GAP;
            first = key;
            count = goesOn ? rows : 1;
        }

        boolean select(long key) {
            selected = (int) (key - first);
            return found[selected];
        }

        long at(int row) {
            return base + row * stride;
        }

        @Override
        public boolean run(Txn txn) {
            for (int i = 0; i < count; i++) access[i] = txn.read(table, first + i);
            if (!txn.execute()) return false;
            for (int i = 0; i < count; i++) {
                found[i] = txn.found(access[i]);
                if (found[i]) MemorySegment.copy(txn.memory(), txn.value(access[i]), memory, at(i), table.valueBytes());
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
