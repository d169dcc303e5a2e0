package tidepool.bench.straw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.workload.measured.RowSource;

/** Reads rows from the maps. */
final class StrawSource implements RowSource {
    private final StrawStore store;
    private final MemorySegment memory = Arena.ofAuto().allocate(Schema.MAX_BYTES, Words.BYTES);

    StrawSource(StrawStore store) {
        this.store = store;
    }

    @Override
    public boolean read(int table, long key) {
        StrawRow row = store.rows(table).get(new StrawKey(key));
        if (row == null) return false;
        MemorySegment.copy(row.value, 0, memory, ValueLayout.JAVA_BYTE, 0, row.value.length);
        return true;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long value() {
        return 0;
    }
}
