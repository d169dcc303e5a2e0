package tidepool.workload.recorded;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;

/**
 * FORD with a planted bug: it validates either the rows that were found or the keys that were not found, but not both.
 */
final class CarelessFord extends Ford {
    private final boolean looksAgainAtFound;

    /** @param looksAgainAtFound whether rows are validated, and "not found" is not; otherwise the other way round */
    CarelessFord(boolean looksAgainAtFound) {
        this.looksAgainAtFound = looksAgainAtFound;
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT) {
            @Override
            protected RecordVerbs newVerbs(MemorySegment memory) {
                return new RecordVerbs(pool(), memory) {
                    @Override
                    public boolean isValidated(Access a) {
                        return a.found == looksAgainAtFound;
                    }
                };
            }
        };
    }
}
