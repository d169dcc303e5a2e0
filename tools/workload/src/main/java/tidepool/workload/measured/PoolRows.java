package tidepool.workload.measured;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * Reads rows of a pool without running transactions. A caller that reads the keys of a table in order, with small gaps,
 * gets them from transactions of many rows, separately for each table: checks walk several tables at once, and over a
 * network a trip for each row takes minutes. Other callers get each row in its own transaction. Belongs to the thread
 * or strand that made it.
 */
public final class PoolRows implements RowSource, AutoCloseable {
    private static final int ROWS = 64;
    private static final long BYTES = 32 * 1024;

    /** The number of keys that may be skipped while keys still count as consecutive. */
    private static final int GAP = 2;

    private final Window[] windows;
    private final Worker worker;
    private final MemorySegment memory;
    private Window current; // of the row that was read last

    /** @param tables in the order of their numbers, see {@link PoolTables} */
    public PoolRows(Tidepool pool, List<TableLayout> tables) {
        windows = new Window[tables.size()];
        long bytes = 0;
        for (int i = 0; i < windows.length; i++) {
            windows[i] = new Window(tables.get(i), bytes);
            bytes += windows[i].rows * windows[i].stride;
        }
        memory = Arena.ofAuto().allocate(bytes, 8);
        worker = pool.worker();
    }

    /** Checks a workload and its indexes, and waits for all reads. Returns the findings, a sentence each. */
    public static List<String> check(Tidepool pool, List<TableLayout> tables, MeasuredWorkload workload, long[] book) {
        List<String> findings = new ArrayList<>(IndexCheck.of(pool, tables));
        try (PoolRows rows = new PoolRows(pool, tables)) {
            findings.addAll(workload.check(rows, book));
        }
        return List.copyOf(findings);
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

    /** Rows of one table with consecutive keys. Rows that do not exist are not found. */
    private final class Window implements Worker.Work {
        private final TableLayout table;
        private final long base;
        private final long stride; // from one row to the next: fields are aligned
        private final int rows;
        private final int[] access = new int[ROWS];
        private final boolean[] found = new boolean[ROWS];
        private long first;
        private int count;
        private int selected;

        Window(TableLayout table, long base) {
            this.table = table;
            this.base = base;
            stride = table.valueBytes() + 7 & ~7;
            rows = Math.clamp(BYTES / stride, 1, ROWS);
        }

        /**
         * Returns whether the window holds the key. Keys may be any number, and the distance of two keys may exceed the
         * largest number.
         */
        boolean has(long key) {
            return Long.compareUnsigned(key - first, count) < 0;
        }

        /** Moves the window to the key. Reads many rows if the key continues where this window ends. */
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

    /** Releases the worker. */
    @Override
    public void close() {
        worker.close();
    }
}
