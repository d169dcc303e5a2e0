package tidepool.protocol.fordlv;

import tidepool.fabric.Session;
import tidepool.protocol.ford.FordChange;
import tidepool.store.Catalog;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;

/** As in FORD; and nobody owns a partition any more, because everybody was shut out. */
final class FordLvChange extends FordChange {
    FordLvChange(Session session, Catalog catalog) {
        super(session, catalog);
    }

    @Override
    protected void afterResolved() {
        for (TableInfo table : catalog.tables())
            for (int p = 0; p < placement.partitions(); p++) {
                long owner = table.owner(p);
                for (int copy = 0; copy < placement.copies(p); copy++)
                    round.write(pool.replica(owner, copy), Pointer.offset(owner), 0);
                round.post().await();
            }
    }
}
