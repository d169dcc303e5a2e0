package tidepool.protocol.farmv2;

import tidepool.fabric.Session;
import tidepool.protocol.redo.RedoReconfiguration;
import tidepool.store.Catalog;

/**
 * The resolution of FaRMv2 transactions when memory nodes change: the rule of all redo logs. Replaced versions are
 * kept.
 */
public class FarmV2Reconfiguration extends RedoReconfiguration {
    public FarmV2Reconfiguration(Session session, Catalog catalog) {
        super(session, catalog);
        companions(new ReplacedVersionWriter(lane, round, catalog));
    }
}
