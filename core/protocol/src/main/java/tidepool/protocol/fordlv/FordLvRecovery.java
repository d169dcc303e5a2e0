package tidepool.protocol.fordlv;

import tidepool.base.Id128;
import tidepool.fabric.Session;
import tidepool.protocol.ford.FordRecovery;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.SessionHoldings;
import tidepool.store.Catalog;
import tidepool.store.TableLayout;

/**
 * Recovery as in FORD, with two additions. The announcements of the dead session in a global Vcache are removed before
 * anything is repaired, because a transaction that finds no entry there asks memory. The partitions that the session
 * owned lose their owner once everything is repaired. A local Vcache has died with its session.
 */
public class FordLvRecovery extends FordRecovery {
    @SuppressWarnings("this-escape") // the holdings are kept and not asked
    public FordLvRecovery(Session session, Catalog catalog, FordLvOptions options) {
        super(session, catalog);
        OwnershipWords ownership = new OwnershipWords(lane, pool);
        boolean global = options.vcache() == FordLvOptions.Sharing.GLOBAL;
        Id128 table = catalog.versionTable(global, options.bytes());
        holdings(new Holdings(catalog, pool, ownership, global ? new GlobalVcache(lane, pool, table) : null));
    }

    /** @param shared null if the Vcache is not global */
    private record Holdings(Catalog catalog, PoolRegions pool, OwnershipWords ownership, GlobalVcache shared)
            implements SessionHoldings {
        @Override
        public void withdraw(int dead) {
            if (shared != null) shared.forget(dead);
        }

        @Override
        public void giveBack(int dead) {
            for (TableLayout table : catalog.tables())
                for (int p = 0; p < pool.placement().partitions(); p++) ownership.giveBack(table, p, dead);
        }
    }
}
