package tidepool.protocol.farmv2;

import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.redo.RedoRecovery;
import tidepool.store.Catalog;

/** Rolls forward or drops what a dead session left, by the rule of all redo logs; a version that is replaced is kept. */
public class FarmV2Recovery extends RedoRecovery {
    private Beside beside;

    public FarmV2Recovery(Session session, Catalog catalog) {
        super(session, catalog);
    }

    @Override
    protected void beside(long txn, Region region, Log log, int i) {
        if (beside == null) beside = new Beside(lane, round, catalog);
        beside.add(txn, region, log.memory(), i);
    }
}
