package tidepool.protocol.fordlv;

import tidepool.fabric.Session;
import tidepool.protocol.ford.FordRecovery;
import tidepool.store.Catalog;
import tidepool.store.TableInfo;

/** As FORD's; when everything is repaired, what the dead session owned belongs to nobody. Its Vcache died with it. */
public class FordLvRecovery extends FordRecovery {
    private final Registration registration;

    public FordLvRecovery(Session session, Catalog catalog) {
        super(session, catalog);
        this.registration = new Registration(lane, pool);
    }

    @Override
    protected void afterRepair(int dead) {
        for (TableInfo table : catalog.tables())
            for (int p = 0; p < pool.placement().partitions(); p++) registration.giveBack(table, p, dead);
    }
}
