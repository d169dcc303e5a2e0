package tidepool.protocol.farmv2;

import tidepool.fabric.Session;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.redo.RedoChange;
import tidepool.store.Catalog;

/** How transactions of FaRMv2 are resolved when memory nodes change: by the rule of all redo logs. */
public class FarmV2Change extends RedoChange {
    private Beside beside;

    public FarmV2Change(Session session, Catalog catalog) {
        super(session, catalog);
    }

    @Override
    protected void beside(LoggedTxn txn, int i, int copy) {
        if (beside == null) beside = new Beside(lane, round, catalog);
        beside.add(txn.id(), pool.replica(txn.pointer(i), copy), logOf(txn, i, copy), i);
    }
}
