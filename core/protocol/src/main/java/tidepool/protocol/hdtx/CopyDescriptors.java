package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.ChainedWorkBuilder;
import tidepool.memory.ChainedWorkLayout;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * Descriptors of the chained work that the memory side of a node does with a log. They follow the log in its slot:
 *
 * <pre>
 *   GUARD VER == {INV,T} of each object  ->  COPY image -> body of each  ->  SET VER = {0,T} of each
 * </pre>
 *
 * No object becomes visible before all are copied. Otherwise readers would fail: a reader of a bucket samples the
 * version of its head first, and takes a visible head as proof that the slots of the bucket are new. The lock is not
 * touched: it is freed when every node has done its part. The guards stop a descriptor that is started when its
 * transaction is over. Steps that do not fit into one descriptor continue in the next one, which is executed after it.
 */
public class CopyDescriptors {
    private static final int STEPS = 3;

    private final PoolRegions pool;
    private final ChainedWorkBuilder builder = new ChainedWorkBuilder();
    private MemorySegment memory;
    private long descriptor;
    private int steps;

    public CopyDescriptors(PoolRegions pool) {
        this.pool = pool;
    }

    /** Returns the number of objects of a write set whose image a node gets. */
    static int objects(WriteSet writes, PoolRegions pool, int node) {
        int objects = 0;
        for (int i = 0; i < writes.count(); i++) if (isHere(writes.get(i), pool, node)) objects++;
        return objects;
    }

    protected static boolean isHere(WriteTarget t, PoolRegions pool, int node) {
        return t.written && pool.placement().holds(node, Pointer.partition(t.pointer));
    }

    /** Returns the number of descriptors for {@code objects} objects. */
    static int count(int objects) {
        return (objects * STEPS + ChainedWorkLayout.MAX_STEPS - 1) / ChainedWorkLayout.MAX_STEPS;
    }

    /** Returns the largest number of descriptors of a transaction on one node. */
    static int maxCount() {
        return count(WriteSet.MAX_OBJECTS);
    }

    static long bytes(int objects) {
        return count(objects) * ChainedWorkLayout.STEPS + (long) objects * STEPS * ChainedWorkLayout.STEP.byteSize();
    }

    /** Returns where the i-th descriptor begins, counted from the end of the log. */
    static long offset(int i) {
        return i * ChainedWorkLayout.bytes(ChainedWorkLayout.MAX_STEPS);
    }

    /**
     * Makes the descriptors after a log of {@code logBytes} that lies at {@code at} here and will lie at {@code slot}
     * on the node.
     */
    final void make(MemorySegment memory, long at, long logBytes, long slot, long txn, WriteSet writes, int node) {
        this.memory = memory;
        descriptor = at + logBytes;
        steps = 0;
        long images = slot + LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES;
        build(images, txn, writes, node);
        builder.end();
    }

    /** Adds all steps, in their order. */
    protected void build(long images, long txn, WriteSet writes, int node) {
        for (int i = 0; i < writes.count(); i++) if (isHere(writes.get(i), pool, node)) guard(node, writes.get(i), txn);
        long image = images;
        for (int i = 0; i < writes.count(); i++) {
            if (!isHere(writes.get(i), pool, node)) continue;
            copy(node, writes.get(i), image + Words.BYTES);
            image += Words.BYTES + writes.get(i).bodyBytes;
        }
        for (int i = 0; i < writes.count(); i++) if (isHere(writes.get(i), pool, node)) show(node, writes.get(i), txn);
    }

    protected final void guard(int node, WriteTarget t, long txn) {
        next().guard(pool.at(node, t.pointer).number(), versionOf(t), TxnId.INV | txn);
    }

    protected final void copy(int node, WriteTarget t, long image) {
        int data = pool.at(node, t.pointer).number();
        long body = Pointer.offset(t.pointer) + ObjectLayout.BODY;
        next().copy(pool.log(node).number(), image, data, body, t.bodyBytes);
    }

    protected final void show(int node, WriteTarget t, long txn) {
        next().set(pool.at(node, t.pointer).number(), versionOf(t), txn);
    }

    private static long versionOf(WriteTarget t) {
        return Pointer.offset(t.pointer) + ObjectLayout.VERSION;
    }

    private ChainedWorkBuilder next() {
        if (steps % ChainedWorkLayout.MAX_STEPS == 0) {
            if (steps > 0) descriptor += builder.end();
            builder.into(memory, descriptor);
        }
        steps++;
        return builder;
    }
}
