package tidepool.lab;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.protocol.farmv2.FarmV2Coordinator;
import tidepool.protocol.farmv2.FarmV2Options;
import tidepool.protocol.farmv2.FarmV2Verbs;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;

/**
 * FaRMv2-DM without the verbs by which ours detects torn reads and recovers dead sessions: an object is one READ, locks
 * have no intents. Its code was not published, so other differences are not known. Only for figures.
 */
final class PublishedFarmV2 extends FarmV2 {
    PublishedFarmV2(int versions) {
        super(new FarmV2Options(versions));
    }

    @Override
    public String name() {
        return LabProtocols.PUBLISHED_FARM_V2;
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
        return new FarmV2Coordinator(session, catalog, counters) {
            @Override
            protected RecordVerbs newVerbs(MemorySegment memory) {
                return new Verbs(pool(), memory);
            }
        };
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }

    @Override
    public Reconfiguration change(Session session, Catalog catalog) {
        throw OnlyForFigures.refused(name());
    }

    private static final class Verbs extends FarmV2Verbs {
        private final PublishedVerbs published;

        Verbs(PoolRegions pool, MemorySegment memory) {
            super(pool, memory);
            this.published = new PublishedVerbs(pool, memory);
        }

        @Override
        protected void compareAndLock(Round round, WriteTarget t, long txn, long intentAt) {
            published.lock(round, t, txn);
        }

        @Override
        public void read(Round round, long pointer, long bodyBytes, long landing) {
            published.read(round, pointer, bodyBytes, landing);
        }

        @Override
        public void validate(Round round, long pointer, long landing) {
            published.validate(round, pointer, landing);
        }
    }
}
