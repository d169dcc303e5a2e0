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
 *   GUARD VER == {INV,T} of each object  ->  COPY image -> body of each  ->  SET VER = {0,T} of each
 * </pre>
 *
 * No object is visible before all are copied: whoever reads a bucket samples the version of its head first, and takes a visible
 * one for the proof that the slots behind it are new. The lock is not touched: it is freed when every node has done its part. The
 * guards stop a descriptor that is started when its transaction is over. Steps that do not fit into one descriptor go on in the next
 * one, which is carried out behind it.
 */
public class Descriptors {
    private static final int STEPS = 3;

    private final PoolRegions pool;
    private final ChainBuilder builder = new ChainBuilder();
    private MemorySegment memory;
    private long descriptor;
    private int steps;

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
        return (objects * STEPS + ChainLayout.MOST_STEPS - 1) / ChainLayout.MOST_STEPS;
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
        return i * ChainLayout.bytes(ChainLayout.MOST_STEPS);
    }

    /**
     * Makes them behind a log of {@code logBytes} that lies at {@code at} here and will lie at {@code slot} on the node.
     */
    final void make(MemorySegment memory, long at, long logBytes, long slot, long txn, WriteSet writes, int node) {
        this.memory = memory;
        descriptor = at + logBytes;
        steps = 0;
        long images = slot + LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES;
        build(images, txn, writes, node);
        builder.end();
    }

    /** All the steps, in their order. */
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

    protected final void guard(int node, Target t, long txn) {
        next().guard(pool.at(node, t.pointer).number(), versionOf(t), TxnId.INV | txn);
    }

    protected final void copy(int node, Target t, long image) {
        int data = pool.at(node, t.pointer).number();
        long body = Pointer.offset(t.pointer) + ObjectLayout.BODY;
        next().copy(pool.log(node).number(), image, data, body, t.bodyBytes);
    }

    protected final void show(int node, Target t, long txn) {
        next().set(pool.at(node, t.pointer).number(), versionOf(t), txn);
    }

    private static long versionOf(Target t) {
        return Pointer.offset(t.pointer) + ObjectLayout.VERSION;
    }

    private ChainBuilder next() {
        if (steps % ChainLayout.MOST_STEPS == 0) {
            if (steps > 0) descriptor += builder.end();
            builder.into(memory, descriptor);
        }
        steps++;
        return builder;
    }
}
