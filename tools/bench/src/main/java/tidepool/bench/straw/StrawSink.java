package tidepool.bench.straw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;
import tidepool.workload.measured.RowSink;

/** Writes the initial rows into the maps. The last row is written at close. */
public final class StrawSink implements RowSink, AutoCloseable {
    private final StrawStore store;
    private final MemorySegment memory = Arena.ofAuto().allocate(Schema.MAX_BYTES, Words.BYTES);
    private int table = -1;
    private long key;

    StrawSink(StrawStore store) {
        this.store = store;
    }

    @Override
    public long row(int nextTable, long nextKey) {
        end();
        table = nextTable;
        key = nextKey;
        store.tables().get(table).schema().clear(memory, 0);
        return 0;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    private void end() {
        if (table < 0) return;
        TableLayout layout = store.tables().get(table);
        StrawRow row = new StrawRow(layout.schema().length(), 0);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, row.value, 0, row.value.length);
        StrawRow before = store.rows(table).put(new StrawKey(key), row);
        table = -1;
        Checks.argument(before == null, "key " + key + " of table " + layout.name() + " is loaded twice");
    }

    @Override
    public void close() {
        end();
    }
}
