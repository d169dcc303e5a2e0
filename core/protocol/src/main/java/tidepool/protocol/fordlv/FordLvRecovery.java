package tidepool.protocol.fordlv;

import tidepool.base.Id128;
import tidepool.fabric.Session;
import tidepool.protocol.ford.FordRecovery;
import tidepool.store.Catalog;
import tidepool.store.TableLayout;

/**
 * Recovery as in FORD, with two additions. The announcements of the dead session in a global Vcache are removed before
 * anything is repaired, because a transaction that finds no entry there asks memory. The partitions that the session
 * owned lose their owner once everything is repaired. A local Vcache has died with its session.
 */
public class FordLvRecovery extends FordRecovery {
    private final OwnershipWords registration;
    private final GlobalVcache shared;

    public FordLvRecovery(Session session, Catalog catalog, FordLvOptions options) {
        super(session, catalog);
        this.registration = new OwnershipWords(lane, pool);
        boolean global = options.vcache() == FordLvOptions.Sharing.GLOBAL;
        Id128 table = catalog.versionTable(global, options.bytes());
        this.shared = global ? new GlobalVcache(lane, pool, table) : null;
    }

    @Override
    protected void afterRevocation(int dead) {
        if (shared != null) shared.forget(dead);
    }

    @Override
    protected void afterRepair(int dead) {
        for (TableLayout table : catalog.tables())
            for (int p = 0; p < pool.placement().partitions(); p++) registration.giveBack(table, p, dead);
    }
}
