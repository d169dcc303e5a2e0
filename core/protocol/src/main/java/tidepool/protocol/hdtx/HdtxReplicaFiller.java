package tidepool.protocol.hdtx;

import java.util.List;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.protocol.record.ReplicaFiller;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TxnId;

/**
 * A replica filler that works under HDTX's locks. It overtakes the requests in a queue, so that an object with a queue
 * that is never empty is filled too.
 */
public class HdtxReplicaFiller extends ReplicaFiller {
    private long holder;

    public HdtxReplicaFiller(HdtxCoordinator coordinator, Catalog catalog) {
        super(coordinator, catalog);
    }

    @Override
    protected void lock(Region region, long offset, long txn, long foundAt) {
        holder = txn;
        round.maskedCompareAndSwap(region, offset, 0, HdtxVerbs.HOLDER, txn, HdtxVerbs.HOLDER, found, foundAt);
    }

    @Override
    protected void lockAndRead(long pointer, List<Long> offsets, long bytes, long txn) {
        super.lockAndRead(pointer, offsets, bytes, txn);
        // Whether a request waits does not matter here.
        for (long at = 0; at < offsets.size() * (long) Words.BYTES; at += Words.BYTES)
            Words.plain(found, at, TxnId.of(Words.plain(found, at)));
    }

    @Override
    protected void free(long pointer, List<Long> offsets) {
        for (int i = 0; i < offsets.size(); i++)
            if (Words.plain(found, i * (long) Words.BYTES) == 0)
                round.maskedCompareAndSwap(
                        pool.primary(pointer),
                        Pointer.offset(pointer) + offsets.get(i) + ObjectLayout.LOCK,
                        holder,
                        HdtxVerbs.HOLDER,
                        0,
                        HdtxVerbs.HOLDER,
                        null,
                        0);
        round.post().await();
    }
}
