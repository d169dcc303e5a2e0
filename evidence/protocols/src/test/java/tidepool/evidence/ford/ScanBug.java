package tidepool.evidence.ford;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import tidepool.clusters.ClusterOptions;
import tidepool.evidence.record.PlantedVerbs;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;
import tidepool.store.IndexNodeLayout;
import tidepool.store.ObjectLayout;

/** FORD with one bug in the validation of leaves that were scanned: phantoms, which histories with range reads show. */
public enum ScanBug implements Supplier<Protocol> {
    /** Leaves that were scanned are not validated. */
    SCANNED_LEAVES_NOT_VALIDATED {
        @Override
        boolean isForgotten(MemorySegment memory, long leaf) {
            return true;
        }
    },

    /** The leaf that has no right neighbour is not validated. */
    LAST_LEAF_NOT_VALIDATED {
        @Override
        boolean isForgotten(MemorySegment memory, long leaf) {
            return IndexNodeLayout.isLast(memory, leaf);
        }
    };

    /** Whether a leaf that was read is left out by validation. */
    abstract boolean isForgotten(MemorySegment memory, long leaf);

    /** Returns a cluster of this protocol that scans. */
    public ClusterOptions cluster(long seed) {
        return ClusterOptions.drawn(seed).ordered().withProtocol(this);
    }

    @Override
    public Protocol get() {
        return new Ford() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return verbs(this, memory);
                    }
                };
            }
        };
    }

    private RecordVerbs verbs(FordCoordinator coordinator, MemorySegment memory) {
        return new PlantedVerbs(coordinator, memory) {
            @Override
            public boolean isValidated(Access a) {
                if (!a.table.isIndexNodes() || !a.found || a.landed < 0) return true;
                long node = a.landed + ObjectLayout.CONTENT;
                return IndexNodeLayout.level(this.memory, node) > 0 || !isForgotten(this.memory, node);
            }
        };
    }
}
