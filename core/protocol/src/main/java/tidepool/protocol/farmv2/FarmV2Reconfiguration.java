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
    private ReplacedVersionWriter replaced;

    public FarmV2Reconfiguration(Session session, Catalog catalog) {
        super(session, catalog);
    }

    @Override
    protected void beforeImage(LoggedTxn txn, int i, int copy) {
        if (replaced == null) replaced = new ReplacedVersionWriter(lane, round, catalog);
        replaced.add(txn.id(), pool.replica(txn.pointer(i), copy), logOf(txn, i, copy), i, imageOf(txn, i, copy));
    }
}
