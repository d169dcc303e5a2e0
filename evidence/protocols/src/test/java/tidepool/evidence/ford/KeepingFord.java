package tidepool.evidence.ford;

import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordTxn;
import tidepool.protocol.record.RecordTxn;
import tidepool.store.Catalog;

/** FORD that never unlinks an overflow bucket: each transaction believes that it has no room for that. */
public final class KeepingFord extends Ford {
    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        FordOptions chosen = options();
        return new FordCoordinator(session, catalog, counters, chosen) {
            @Override
            protected RecordTxn newTxn() {
                return new FordTxn(this, chosen) {
                    @Override
                    protected boolean hasRoomFor(int objects) {
                        return false;
                    }
                };
            }
        };
    }
}
