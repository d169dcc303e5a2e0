package tidepool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/** A batch of rows without long attributes: their values lie in memory of the batch, one after the other. */
final class PlainBatch extends LoadBatch implements Worker.Work {
    private final long stride;
    private final Worker worker;
    private final Arena arena;
    private final MemorySegment values;

    PlainBatch(Tidepool pool, TableLayout table, Duplicates duplicates, LoadPosition position) {
        super(table, duplicates, position);
        this.stride = table.schema().length();
        this.worker = pool.worker();
        this.arena = Arena.ofShared();
        this.values = arena.allocate(Math.max(Words.BYTES, stride * keys.length), Words.BYTES);
    }

    @Override
    <R> long write(int at, R row, LoadWriter<R> writer, long checksum) {
        long value = at * stride;
        values.asSlice(value, stride).fill((byte) 0);
        writer.write(row, keys[at], values, value);
        long sum = Checksum64.mix(checksum, keys[at].word()); // and a key with a part that is missing is refused
        for (long word = value; word < value + stride; word += Words.BYTES)
            sum = Checksum64.mix(sum, Words.plain(values, word));
        return sum;
    }

    @Override
    boolean transact() {
        return worker.transact(this);
    }

    @Override
    public boolean run(Txn txn) {
        declare(txn);
        return txn.execute() && writeAll(txn);
    }

    @Override
    void put(int row, Txn txn) {
        long words = stride / Words.BYTES;
        MemorySegment.copy(values, Words.U64, row * stride, txn.memory(), Words.U64, txn.value(accesses[row]), words);
    }

    @Override
    void dropValues(int rows, int of) {
        MemorySegment.copy(values, rows * stride, values, 0, (of - rows) * stride);
    }

    @Override
    public void close() {
        worker.close();
        arena.close();
    }
}
