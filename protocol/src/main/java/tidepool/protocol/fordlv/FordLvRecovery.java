package tidepool.protocol.fordlv;

import tidepool.base.Id128;
import tidepool.fabric.Session;
import tidepool.protocol.ford.FordRecovery;
import tidepool.store.Catalog;
import tidepool.store.TableInfo;

/**
 * As FORD's, and besides: what the dead session had announced in a Vcache for all is forgotten before anything is
 * repaired, because whoever finds nothing there asks memory; and what it owned belongs to nobody once everything is
 * repaired. A Vcache of its own has died with it.
 */
public class FordLvRecovery extends FordRecovery {
    private final Registration registration;
    private final GlobalVcache shared;

    public FordLvRecovery(Session session, Catalog catalog, FordLvOptions options) {
        super(session, catalog);
        this.registration = new Registration(lane, pool);
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
        for (TableInfo table : catalog.tables())
            for (int p = 0; p < pool.placement().partitions(); p++) registration.giveBack(table, p, dead);
    }
}
