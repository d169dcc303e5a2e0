package tidepool.bench.ordered;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.workload.measured.RowSource;

/** Reads rows for checks, when no client works. */
final class OrderedSource implements RowSource {
    private final OrderedSession session;
    private final MemorySegment memory = Arena.ofAuto().allocate(Schema.MAX_BYTES, Words.BYTES);
    private final ByteBuffer buffer = memory.asByteBuffer();

    OrderedSource(OrderedSession session) {
        this.session = session;
    }

    @Override
    public boolean read(int table, long key) {
        session.begin(true);
        try {
            return session.get(OrderedTxn.rowKey(table, key), false, buffer, 0);
        } finally {
            session.rollback();
        }
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
