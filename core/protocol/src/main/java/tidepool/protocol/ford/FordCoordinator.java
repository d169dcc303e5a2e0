package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;

/** The FORD coordinator of one strand. */
public class FordCoordinator extends RecordCoordinator {
    private final FordOptions options;

    /** Takes a place among the coordinators of the pool. Waits for the answers of the nodes. */
    public FordCoordinator(Session session, Catalog catalog, TxnCounter counters, FordOptions options) {
        super(session, catalog, counters);
        this.options = options;
    }

    @Override
    protected RecordTxn newTxn() {
        return new FordTxn(this, options);
    }

    @Override
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return new FordVerbs(pool(), memory, options, counts());
    }
}
