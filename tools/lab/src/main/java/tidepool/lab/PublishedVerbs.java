package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * The verbs of the published systems where ours send more: an object in one READ, and a lock without the intent that a
 * recoverer needs to find it. Only for figures: torn reads would not be detected, and locks of dead sessions never
 * freed.
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

    void lock(Round round, WriteTarget t, long txn) {
        long at = Pointer.offset(t.pointer) + ObjectLayout.LOCK;
        round.compareAndSwap(pool.primary(t.pointer), at, 0, TxnId.R | txn, memory, t.lockFound);
    }

    void validate(Round round, long pointer, long landing) {
        round.read(pool.primary(pointer), Pointer.offset(pointer), ObjectLayout.BODY, memory, landing);
    }
}
