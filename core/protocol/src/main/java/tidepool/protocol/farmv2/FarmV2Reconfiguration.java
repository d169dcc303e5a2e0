package tidepool.protocol.farmv2;

import tidepool.fabric.Session;
import tidepool.protocol.record.LoggedTxn;
import tidepool.protocol.redo.RedoReconfiguration;
import tidepool.store.Catalog;

/**
 * The resolution of FaRMv2 transactions when memory nodes change: the rule of all redo logs. Replaced versions are
 * kept.
 */
public class FarmV2Reconfiguration extends RedoReconfiguration {
    private ReplacedVersionWriter beside;

    public FarmV2Reconfiguration(Session session, Catalog catalog) {
        super(session, catalog);
    }

    @Override
    protected void beside(LoggedTxn txn, int i, int copy) {
        if (beside == null) beside = new ReplacedVersionWriter(lane, round, catalog);
        beside.add(txn.id(), pool.replica(txn.pointer(i), copy), logOf(txn, i, copy), i);
    }
}
