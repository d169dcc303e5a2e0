package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.Target;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * What the published systems send where ours send more: an object in one READ, a lock without an intent that would tell a
 * recoverer of it. Only for figures: torn reads would not be noticed, and locks of the dead never freed.
 */
final class PublishedVerbs {
    private final PoolRegions pool;
    private final MemorySegment memory;

    PublishedVerbs(PoolRegions pool, MemorySegment memory) {
        this.pool = pool;
        this.memory = memory;
    }

    void read(Round round, long pointer, long bodyBytes, long landing) {
        round.read(pool.primary(pointer), Pointer.offset(pointer), ObjectLayout.BODY + bodyBytes, memory, landing);
    }

    void lock(Round round, Target t, long txn) {
        long at = Pointer.offset(t.pointer) + ObjectLayout.LOCK;
        round.compareAndSwap(pool.primary(t.pointer), at, 0, TxnId.R | txn, memory, t.lockFound);
    }

    void validate(Round round, long pointer, long landing) {
        round.read(pool.primary(pointer), Pointer.offset(pointer), ObjectLayout.BODY, memory, landing);
    }
}
