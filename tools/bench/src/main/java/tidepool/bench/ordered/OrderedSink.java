package tidepool.bench.ordered;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.workload.measured.RowSink;

/** Writes the initial rows with their entries, many in each transaction. The last ones are written at close. */
final class OrderedSink implements RowSink, AutoCloseable {
    private static final int ROWS = 500;

    private final OrderedTxn txn;
    private final List<TableLayout> tables;
    private final MemorySegment memory = Arena.ofAuto().allocate(Schema.MAX_BYTES, Words.BYTES);
    private int table = -1;
    private long key;
    private int rows;

    OrderedSink(OrderedTxn txn, List<TableLayout> tables) {
        this.txn = txn;
        this.tables = tables;
        txn.begin(false);
    }

    @Override
    public long row(int nextTable, long nextKey) {
        end();
        table = nextTable;
        key = nextKey;
        tables.get(table).schema().clear(memory, 0);
        return 0;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    private void end() {
        if (table < 0) return;
        TableLayout layout = tables.get(table);
        int access = txn.insert(layout, key);
        Checks.invariant(txn.execute() && !txn.found(access), "each row is loaded once");
        MemorySegment.copy(
                memory, 0, txn.memory(), txn.value(access), layout.schema().length());
        if (++rows % ROWS != 0) return;
        commit();
        txn.begin(false);
    }

    private void commit() {
        Checks.invariant(txn.commit() == Outcome.COMMITTED, "a load meets no conflict");
    }

    @Override
    public void close() {
        end();
        commit();
    }
}
