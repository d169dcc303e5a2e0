package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.TxnRoom;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;

/** A transaction with more locks than its area has intents meets a log heap of which other coordinators hold blocks. */
class BusyHeapTest {
    private static final int NODES = 3;
    private static final int BLOCKS = 8;
    private static final int COORDINATORS = 4;
    private static final int FOREIGN = COORDINATORS - 1;

    /** The logs of all rows fit their slots. Only intents lie in the heap. */
    private static final int ROWS = LogLayout.INTENTS + 60;

    private static final long LOG_SLOT_BYTES = 1 << 18;
    private static final int NONE = -1;
    private static final byte CONTENT = 0x5a;

    /**
     * Otherwise the first intents of the next large transaction would be taken for later ones: no block would be
     * claimed for them, and they would lie in a block that another coordinator holds, or in a free one.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford",
                "ford?undo=parallel",
                "ford?flush=selective",
                "ford?flush=full",
                "ford?flush=full&locking=separate",
                "ford?flush=selective&commit=separate&reads=backup",
                "ford-lv?vcachebytes=4k",
                "ford-lv?vcache=global&vcachebytes=4k",
                "farm",
                "drtmh",
                "farmv2",
                "motor",
                "motor?isolation=snapshot",
                "hdtx",
                "hdtx?release=client",
                "hdtx-published"
            })
    void intentsLieInBlocksOfTheirCoordinator(String name) {
        try (Scene scene = new Scene(Protocols.named(name))) {
            for (int block : new int[] {NONE, 5, NONE, NONE, 2, 7, NONE, 0, NONE, 6}) {
                scene.hold(block);
                if (block == NONE) scene.isBusy();
                else scene.commits(block);
                scene.commitsSmall();
                scene.holdsTheRest(block);
            }
        }
    }

    /** A pool whose heap is held by another coordinator, but for one block of each node. */
    private static final class Scene implements AutoCloseable {
        private final Fabric fabric = Fabric.open("mem:?nodes=" + NODES);
        private final RecordCoordinator coordinator;
        private final LogHeapLayout heap;
        private final TableLayout table;
        private final Round round;
        private final MemorySegment landed;

        Scene(Protocol protocol) {
            Session session = fabric.attach();
            PoolOptions options = new PoolOptions(protocol.name(), 2, NODES, 4 << 20, COORDINATORS, LOG_SLOT_BYTES)
                    .withLogHeap(BLOCKS * LogHeapLayout.BLOCK_BYTES);
            Catalog catalog = Catalog.open(fabric, session, options).withRows(protocol::rows);
            table = catalog.table(Schema.parse("rows(n:long)"), 2 * ROWS);
            coordinator = (RecordCoordinator) protocol.coordinator(session, catalog, new TxnCounter());
            heap = catalog.logHeap();
            round = coordinator.lane().growingRound(BLOCKS);
            landed = coordinator.lane().landing(LogHeapLayout.BLOCK_BYTES);
            for (long key = 0; key < ROWS; key++) {
                RecordTxn txn = (RecordTxn) coordinator.begin();
                txn.put(table, key);
                assertEquals(Outcome.COMMITTED, txn.commit());
            }
        }

        @Override
        public void close() {
            coordinator.close();
            fabric.close();
        }

        /** Gives all blocks but one of each node to another coordinator, and fills them with its content. */
        void hold(int free) {
            landed.fill(CONTENT);
            for (int node = 0; node < NODES; node++)
                for (int block = 0; block < BLOCKS; block++) {
                    round.write(log(node), heap.owner(block), block == free ? 0 : foreign(block));
                    round.write(log(node), heap.block(block), LogHeapLayout.BLOCK_BYTES, landed, 0);
                    round.post().await();
                }
        }

        private static long foreign(int position) {
            return LogHeapLayout.owner(FOREIGN, LogHeapLayout.LOG, 0, position);
        }

        private Region log(int node) {
            return coordinator.pool().log(node);
        }

        /** The other coordinator's blocks are as they were, and the rest of the heap is free. */
        void holdsTheRest(int free) {
            for (int node = 0; node < NODES; node++)
                for (int block = 0; block < BLOCKS; block++) {
                    String where = "block " + block + " of node " + node;
                    assertEquals(block == free ? 0 : foreign(block), owner(node, block), where);
                    if (block == free) continue;
                    round.read(log(node), heap.block(block), LogHeapLayout.BLOCK_BYTES, landed, 0);
                    round.post().await();
                    for (long at = 0; at < LogHeapLayout.BLOCK_BYTES; at++)
                        assertEquals(CONTENT, landed.get(ValueLayout.JAVA_BYTE, at), where);
                }
        }

        private long owner(int node, int block) {
            round.read(log(node), heap.owner(block), Words.BYTES, landed, 0);
            round.post().await();
            return Words.plain(landed, 0);
        }

        void isBusy() {
            RecordTxn txn = large();
            boolean executed = txn.execute();
            if (executed) assertEquals(Outcome.ABORTED, txn.commit());
            assertEquals(AbortReason.LOG_HEAP_BUSY, txn.abortReason());
            txn.rollback();
        }

        void commits(int block) {
            RecordTxn txn = large();
            assertTrue(txn.execute(), () -> "aborted: " + txn.abortReason());
            int early = checkIntents(txn, block, LogHeapLayout.INTENTS); // none if locks are taken at commit
            assertEquals(Outcome.COMMITTED, txn.commit(), () -> "aborted: " + txn.abortReason());
            int all = checkIntents(txn, block, 0);
            assertTrue(all > 0, "the heap has no intents");
            assertTrue(early == 0 || early == all, "intents " + early + " of " + all);
        }

        /** Returns a transaction that has the room for its declarations. */
        private RecordTxn large() {
            RecordTxn txn = declared();
            while (txn.room() == TxnRoom.SMALL) {
                boolean done = txn.execute() && txn.commit() == Outcome.COMMITTED;
                assertFalse(done, "it has more objects than the small room");
                assertEquals(AbortReason.NEEDS_ROOM, txn.abortReason());
                txn = declared();
            }
            return txn;
        }

        private RecordTxn declared() {
            RecordTxn txn = (RecordTxn) coordinator.begin();
            for (long key = 0; key < ROWS; key++) txn.update(table, key);
            return txn;
        }

        /**
         * Checks the places of intents outside the area of the coordinator, and returns how many there are.
         *
         * @param kind what the owner of the only block that was free says
         */
        private int checkIntents(RecordTxn txn, int block, int kind) {
            Set<String> places = new HashSet<>();
            int count = 0;
            for (int i = 0; i < txn.writes().count(); i++) {
                WriteTarget t = txn.writes().get(i);
                if (!t.asked || t.intent < heap.at()) continue;
                int node = coordinator.placement.primary(Pointer.partition(t.pointer));
                long at = t.intent - heap.block(block);
                assertTrue(at >= 0 && at < LogHeapLayout.BLOCK_BYTES, "an intent lies at " + at + " of block " + block);
                if (kind != 0)
                    assertEquals(
                            LogHeapLayout.owner(coordinator.number(), kind, 0, 0), owner(node, block), "node " + node);
                count++;
                assertTrue(places.add(node + ":" + at), "two intents have one place");
            }
            return count;
        }

        void commitsSmall() {
            RecordTxn txn = (RecordTxn) coordinator.begin();
            txn.update(table, 0);
            txn.update(table, ROWS - 1);
            assertTrue(txn.execute(), () -> "aborted: " + txn.abortReason());
            assertEquals(Outcome.COMMITTED, txn.commit(), () -> "aborted: " + txn.abortReason());
        }
    }
}
