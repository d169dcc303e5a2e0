package tidepool.protocol.hdtx;

import tidepool.protocol.record.ReplicaFiller;
import tidepool.store.Catalog;

/**
 * A replica filler that works under HDTX's locks. It overtakes the requests in a queue, so that an object with a queue
 * that is never empty is filled too.
 */
public class HdtxReplicaFiller extends ReplicaFiller {
    public HdtxReplicaFiller(HdtxCoordinator coordinator, Catalog catalog) {
        super(coordinator, catalog, QueuedLockWords.ONLY);
    }
}
