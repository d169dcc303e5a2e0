package tidepool.protocol.fordlv;

import tidepool.fabric.Session;
import tidepool.protocol.ford.FordReconfiguration;
import tidepool.protocol.record.LogScan;
import tidepool.store.Catalog;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;

/**
 * Resolution of transactions as in FORD. In addition all partitions lose their owners, because all sessions were
 * revoked.
 */
final class FordLvReconfiguration extends FordReconfiguration {
    FordLvReconfiguration(Session session, Catalog catalog) {
        super(session, catalog);
    }

    /** The word by which a session owns a partition is a lock, too. It is not counted, because it is freed always. */
    @Override
    protected int freeLocks(LogScan logs) {
        int freed = super.freeLocks(logs);
        disown();
        return freed;
    }

    private void disown() {
        for (TableLayout table : catalog.tables())
            for (int p = 0; p < placement.partitions(); p++) {
                long owner = table.owner(p);
                for (int copy = 0; copy < placement.copies(p); copy++)
                    round.write(pool.replica(owner, copy), Pointer.offset(owner), 0);
                round.post().await();
            }
    }
}
