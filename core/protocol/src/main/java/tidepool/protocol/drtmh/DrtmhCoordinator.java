package tidepool.protocol.drtmh;

import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.redo.RedoCoordinator;
import tidepool.store.Catalog;

/** A coordinator of DrTM+H transactions, for one strand. */
public class DrtmhCoordinator extends RedoCoordinator {
    /** Claims a place among the pool's coordinators. Waits for the memory nodes. */
    public DrtmhCoordinator(Session session, Catalog catalog, TxnCounter counters, DrtmhOptions options) {
        super(session, catalog, counters, options.report() == DrtmhOptions.Report.COMMIT);
    }

    @Override
    protected RecordTxn newTxn() {
        return new DrtmhTxn(this);
    }
}
