package tidepool.workload.measured;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.Tidepool;
import tidepool.TransactionTooLargeException;
import tidepool.Worker;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * Inserts rows into a pool, several in each transaction. Belongs to the thread or strand that made it; several loaders
 * can load shares of a workload concurrently. A row that exists already is an error, because no row is loaded twice.
 *
 * <pre>{@code
 * List<TableLayout> tables = PoolTables.open(pool, workload);
 * PoolLoader.load(pool, tables, workload, 0, 1);
 * }</pre>
 */
public final class PoolLoader implements RowSink, AutoCloseable {
    private static final int ROWS = 32;

    /** The bytes of a batch, such that the rows of a transaction fit even into a small log. */
    private static final long BYTES = 16 * 1024;

    private final TableLayout[] tables;
    private final Worker worker;
    private final MemorySegment memory;
    private final Batch batch = new Batch();
    private final int[] table = new int[ROWS];
    private final long[] key = new long[ROWS];
    private final long[] at = new long[ROWS];
    private int begun;
    private long end;
    private long written;

    /** @param tables in the order of their numbers, see {@link PoolTables} */
    public PoolLoader(Tidepool pool, List<TableLayout> tables) {
        this.tables = tables.toArray(TableLayout[]::new);
        long longest = 0;
        for (TableLayout each : tables) longest = Math.max(longest, each.valueBytes());
        memory = Arena.ofAuto().allocate(BYTES + longest, 8);
        worker = pool.worker();
    }

    /** Loads a share of a workload and waits for it. Returns the number of its rows. */
    public static long load(Tidepool pool, List<TableLayout> tables, MeasuredWorkload workload, int share, int shares) {
        try (PoolLoader loader = new PoolLoader(pool, tables)) {
            workload.load(loader, share, shares);
            return loader.finish();
        }
    }

    @Override
    public long row(int number, long newKey) {
        if (begun == ROWS || end > BYTES) write();
        table[begun] = number;
        key[begun] = newKey;
        at[begun] = end;
        long bytes = tables[number].valueBytes();
        memory.asSlice(end, bytes).fill((byte) 0);
        end += bytes;
        return at[begun++];
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    /** Writes the remaining rows and waits for them. Returns the number of rows that this loader has written. */
    public long finish() {
        write();
        return written;
    }

    private void write() {
        insert(0, begun);
        written += begun;
        begun = 0;
        end = 0;
    }

    /**
     * Inserts rows in one transaction, or in two halves if that is too large, as it can be if all rows go into one
     * bucket.
     */
    private void insert(int from, int to) {
        if (from == to) return;
        batch.from = from;
        batch.to = to;
        try {
            worker.transact(batch);
        } catch (TransactionTooLargeException e) {
            if (to - from == 1) throw e;
            int middle = (from + to) / 2;
            insert(from, middle);
            insert(middle, to);
        }
    }

    private final class Batch implements Worker.Work {
        private final int[] access = new int[ROWS];
        private int from;
        private int to;

        @Override
        public boolean run(Txn txn) {
            for (int i = from; i < to; i++) access[i] = txn.insert(tables[table[i]], key[i]);
            if (!txn.execute()) return false;
            for (int i = from; i < to; i++) {
                TableLayout target = tables[table[i]];
                if (txn.found(access[i]))
                    throw new IllegalStateException(
                            "the row is there already: table=" + target.name() + " key=" + key[i]);
                MemorySegment.copy(memory, at[i], txn.memory(), txn.value(access[i]), target.valueBytes());
            }
            return true;
        }
    }

    /** Releases the worker. Rows that {@link #finish} has not written are lost. */
    @Override
    public void close() {
        worker.close();
    }
}
