package tidepool.protocol.farmv2;

import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.redo.RedoRecovery;
import tidepool.store.Catalog;

/** The recovery of a dead FaRMv2 session: the rule of all redo logs. Replaced versions are kept. */
public class FarmV2Recovery extends RedoRecovery {
    private ReplacedVersionWriter replaced;

    public FarmV2Recovery(Session session, Catalog catalog) {
        super(session, catalog);
    }

    @Override
    protected void beforeImage(long txn, Region region, Log log, int i) {
        if (replaced == null) replaced = new ReplacedVersionWriter(lane, round, catalog);
        replaced.add(txn, region, log.memory(), i, log.image(i));
    }
}
