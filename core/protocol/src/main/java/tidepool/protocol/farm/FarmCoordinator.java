package tidepool.protocol.farm;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.redo.RedoCoordinator;
import tidepool.store.Catalog;

/** A coordinator of FaRM transactions, for one strand. */
public class FarmCoordinator extends RedoCoordinator {
    /** Claims a place among the pool's coordinators. Waits for the memory nodes. */
    public FarmCoordinator(Session session, Catalog catalog, TxnCounter counters) {
        super(session, catalog, counters, true);
    }

    @Override
    protected RecordTxn newTxn() {
        return new FarmTxn(this);
    }

    @Override
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return new FarmVerbs(pool(), memory);
    }
}
