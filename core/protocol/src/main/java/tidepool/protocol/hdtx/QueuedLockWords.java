package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.LockWords;
import tidepool.store.TxnId;

/**
 * The verbs on HDTX's lock words. They change the bits of the holder alone: the bit that says that a request waits
 * stays, and may be set at any moment.
 */
enum QueuedLockWords implements LockWords {
    ONLY;

    @Override
    public long heldBy(long txn) {
        return txn;
    }

    /** Whether a request waits does not matter here. */
    @Override
    public long holder(long word) {
        return TxnId.of(word);
    }

    @Override
    public void take(Round round, Region region, long offset, long txn, MemorySegment found, long foundAt) {
        swap(round, region, offset, 0, txn, found, foundAt);
    }

    @Override
    public void release(Round round, Region region, long offset, long txn) {
        swap(round, region, offset, txn, 0, null, 0);
    }

    @Override
    public void free(Round round, Region region, long offset, long word, MemorySegment found) {
        swap(round, region, offset, holder(word), 0, found, 0);
    }

    private static void swap(
            Round round, Region region, long offset, long from, long to, MemorySegment found, long foundAt) {
        round.maskedCompareAndSwap(region, offset, from, HdtxVerbs.HOLDER, to, HdtxVerbs.HOLDER, found, foundAt);
    }
}
