package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;

/** The FORD coordinator of one strand. */
public class FordCoordinator extends RecordCoordinator {
    private final FordOptions options;
    private Round logRound;

    /** Takes a place among the coordinators of the pool. Waits for the answers of the nodes. */
    public FordCoordinator(Session session, Catalog catalog, TxnCounter counters, FordOptions options) {
        super(session, catalog, counters);
        this.options = options;
    }

    /** Returns the round of logs that travel alone, which all transaction objects share. */
    final Round logRound() {
        if (logRound == null) logRound = lane.growingRound(2 * pool().nodes());
        return logRound;
    }

    @Override
    protected void trim() {
        super.trim();
        if (logRound == null) return;
        logRound.discard();
        logRound.trim();
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
