package tidepool.evidence.large;

import java.util.function.LongConsumer;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordRecovery;
import tidepool.protocol.ford.FordTxn;
import tidepool.protocol.record.HeapScan;
import tidepool.protocol.record.LogHeap;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.store.Catalog;

/** Bugs of the log heap, planted into FORD. */
enum HeapBug {
    /** Blocks are given back before the release: a recoverer finds locks and no log. */
    HEAP_BLOCK_REUSED_TOO_EARLY,
    /** The log follows the data, in a round of its own. */
    LOG_PIECE_AFTER_DATA,
    /** A recoverer reads no intents in blocks: their locks stay. */
    INTENT_BLOCK_NOT_SCANNED,
    /** Blocks keep their owner when a transaction is over. */
    BLOCKS_NOT_GIVEN_BACK;

    Ford ford() {
        return new Ford() {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new PlantedCoordinator(session, catalog, counters);
            }

            @Override
            public Recovery recovery(Session session, Catalog catalog) {
                return new PlantedRecovery(session, catalog);
            }
        };
    }

    private final class PlantedCoordinator extends FordCoordinator {
        PlantedCoordinator(Session session, Catalog catalog, TxnCounter counters) {
            super(session, catalog, counters, FordOptions.DEFAULT);
        }

        private PlantedHeap planted;

        @Override
        protected RecordTxn newTxn() {
            return new FordTxn(this, FordOptions.DEFAULT) {
                @Override
                protected void release(int slot) {
                    if (HeapBug.this == HEAP_BLOCK_REUSED_TOO_EARLY && planted != null) planted.giveBack();
                    super.release(slot);
                }
            };
        }

        @Override
        protected LogHeap newHeap() {
            planted = new PlantedHeap(this);
            return planted;
        }
    }

    private final class PlantedHeap extends LogHeap {
        private final FordCoordinator coordinator;
        private Round late;
        private RecordVerbs verbs;
        private final long[] bytes;
        private final long[] logs;
        private int slot;

        PlantedHeap(FordCoordinator coordinator) {
            super(coordinator);
            this.coordinator = coordinator;
            this.bytes = new long[coordinator.pool().nodes()];
            this.logs = new long[bytes.length];
        }

        @Override
        protected void addLog(Round to, int node, int atSlot, long length, long log, RecordVerbs by) {
            if (HeapBug.this != LOG_PIECE_AFTER_DATA) {
                super.addLog(to, node, atSlot, length, log, by);
                return;
            }
            verbs = by;
            slot = atSlot;
            bytes[node] = length;
            logs[node] = log;
        }

        @Override
        protected void giveBack() {
            if (verbs != null) sendLate();
            if (HeapBug.this != BLOCKS_NOT_GIVEN_BACK) super.giveBack();
        }

        private void sendLate() {
            if (late == null) late = coordinator.lane().growingRound(64);
            for (int node = 0; node < bytes.length; node++)
                if (bytes[node] > 0) super.addLog(late, node, slot, bytes[node], logs[node], verbs);
            late.post().await();
            verbs = null;
        }
    }

    private final class PlantedRecovery extends FordRecovery {
        PlantedRecovery(Session session, Catalog catalog) {
            super(session, catalog);
        }

        @Override
        protected HeapScan newHeapScan() {
            return new HeapScan(pool, lane, catalog.logHeap()) {
                @Override
                protected void intents(int coordinator, int node, LongConsumer intent) {
                    if (HeapBug.this != INTENT_BLOCK_NOT_SCANNED) super.intents(coordinator, node, intent);
                }
            };
        }
    }
}
