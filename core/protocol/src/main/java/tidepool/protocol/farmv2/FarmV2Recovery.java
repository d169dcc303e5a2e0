package tidepool.protocol.farmv2;

import tidepool.fabric.Session;
import tidepool.protocol.redo.RedoRecovery;
import tidepool.store.Catalog;

/** The recovery of a dead FaRMv2 session: the rule of all redo logs. Replaced versions are kept. */
public class FarmV2Recovery extends RedoRecovery {
    public FarmV2Recovery(Session session, Catalog catalog) {
        super(session, catalog);
        companions(new ReplacedVersionWriter(lane, round, catalog));
    }
}
