package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.ChainBuilder;
import tidepool.memory.ChainLayout;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * What the memory side of a node is to do with a log, as chained work that lies behind it in its slot:
 *
 * <pre>
 *   for each object:  GUARD VER == {INV,T}  ->  COPY image -> body  ->  SET VER = {0,T}
 * </pre>
 *
 * The lock is not touched: it is freed when every node has done its part. The guard stops a descriptor that is carried out when
 * it should not be.
 */
public class Descriptors {
    private static final int STEPS = 3;
    private static final int OBJECTS = ChainLayout.MOST_STEPS / STEPS;

    private final PoolRegions pool;
    private final ChainBuilder builder = new ChainBuilder();

    public Descriptors(PoolRegions pool) {
        this.pool = pool;
    }

    /** Objects of a write set whose image a node gets. */
    static int objects(WriteSet writes, PoolRegions pool, int node) {
        int objects = 0;
        for (int i = 0; i < writes.count(); i++) if (isHere(writes.get(i), pool, node)) objects++;
        return objects;
    }

    static boolean isHere(Target t, PoolRegions pool, int node) {
        return t.written && pool.placement().holds(node, Pointer.partition(t.pointer));
    }

    /** Descriptors for so many objects. */
    static int count(int objects) {
        return (objects + OBJECTS - 1) / OBJECTS;
    }

    /** The most descriptors of a transaction on one node. */
    static int most() {
        return count(WriteSet.MOST);
    }

    static long bytes(int objects) {
        return count(objects) * ChainLayout.STEPS + (long) objects * STEPS * ChainLayout.STEP.byteSize();
    }

    /** Where the i-th descriptor begins, behind the log. */
    static long offset(int i) {
        return i * ChainLayout.bytes(OBJECTS * STEPS);
    }

    /**
     * Makes them behind a log of {@code logBytes} that lies at {@code at} here and will lie at {@code slot} on the node.
     */
    void make(MemorySegment memory, long at, long logBytes, long slot, long txn, WriteSet writes, int node) {
        long image = slot + LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES;
        long descriptor = at + logBytes;
        int objects = 0;
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (!isHere(t, pool, node)) continue;
            if (objects == 0) builder.into(memory, descriptor);
            add(builder, node, t, image + Words.BYTES, txn);
            image += Words.BYTES + t.bodyBytes;
            if (++objects < OBJECTS) continue;
            descriptor += builder.end();
            objects = 0;
        }
        if (objects > 0) builder.end();
    }

    /** The steps of one object. */
    protected void add(ChainBuilder chain, int node, Target t, long image, long txn) {
        int data = pool.at(node, t.pointer).number();
        long offset = Pointer.offset(t.pointer);
        chain.guard(data, offset + ObjectLayout.VERSION, TxnId.INV | txn)
                .copy(pool.log(node).number(), image, data, offset + ObjectLayout.BODY, t.bodyBytes)
                .set(data, offset + ObjectLayout.VERSION, txn);
    }
}
