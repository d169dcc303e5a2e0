package tidepool.protocol.farmv2;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.redo.RedoCoordinator;
import tidepool.protocol.time.CounterTimestamps;
import tidepool.protocol.time.Timestamps;
import tidepool.store.Catalog;

/** A coordinator of FaRMv2 transactions, for one strand. */
public class FarmV2Coordinator extends RedoCoordinator {
    private final Timestamps timestamps;

    /** Claims a place among the pool's coordinators. Waits for the memory nodes. */
    @SuppressWarnings("this-escape") // the timestamps keep the pool's regions, which exist already
    public FarmV2Coordinator(Session session, Catalog catalog, TxnCounter counters) {
        super(session, catalog, counters, true);
        this.timestamps = new CounterTimestamps(lane, pool());
    }

    @Override
    protected RecordTxn newTxn() {
        return new FarmV2Txn(this);
    }

    @Override
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return new FarmV2Verbs(pool(), memory);
    }

    public Timestamps timestamps() {
        return timestamps;
    }
}
