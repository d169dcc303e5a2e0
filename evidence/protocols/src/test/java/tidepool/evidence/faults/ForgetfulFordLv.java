package tidepool.evidence.faults;

import tidepool.fabric.Session;
import tidepool.memory.VersionTable;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.fordlv.FordLv;
import tidepool.protocol.fordlv.FordLvCoordinator;
import tidepool.protocol.fordlv.FordLvOptions;
import tidepool.protocol.fordlv.OwnedPartitions;
import tidepool.store.Catalog;

/** A planted bug: coordinators that begin after a copy was filled do not share the Vcache of their session. */
final class ForgetfulFordLv extends FordLv {
    private boolean isFilled;

    @Override
    protected FordLvCoordinator newCoordinator(
            Session session, Catalog catalog, TxnCounter counters, FordLvOptions options, OwnedPartitions shared) {
        if (!isFilled) return super.newCoordinator(session, catalog, counters, options, shared);
        OwnedPartitions own =
                new OwnedPartitions(session.number(), catalog.placement().partitions(), 2 * VersionTable.SET_BYTES);
        own.join();
        return super.newCoordinator(session, catalog, counters, options, own);
    }

    @Override
    public ReplicaFill fill(Session session, Catalog catalog, TxnCounter counters) {
        ReplicaFill fill = super.fill(session, catalog, counters);
        isFilled = true;
        return fill;
    }
}
