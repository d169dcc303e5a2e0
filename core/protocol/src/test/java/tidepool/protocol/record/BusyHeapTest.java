package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;

/** A large transaction is refused a block of a log heap of which other coordinators hold some, wherever it asks. */
class BusyHeapTest {
    private static final int BLOCKS = 8;
    private static final int COORDINATORS = 4;
    private static final int FOREIGN = COORDINATORS - 1;
    private static final int INTENTS_OF_A_BLOCK = (int) (LogHeapLayout.BLOCK_BYTES / Words.BYTES);
    private static final int ROWS_OF_A_LOAD = 20;
    private static final byte CONTENT = 0x5a;
    private static final Set<Integer> NONE = Set.of();

    static List<String> protocols() {
        return List.of(
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
                "hdtx-published");
    }

    /**
     * Otherwise the first intents of the next large transaction would be taken for later ones: no block would be
     * claimed for them, and they would lie in a block that another coordinator holds, or in a free one.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void theFirstBlockOfIntentsIsRefused(String name) {
        int rows = LogLayout.INTENTS + 60;
        try (Scene scene = new Scene(Protocols.named(name), 3, rows, 1 << 18)) {
            scene.play(LogLayout.INTENTS + 1, List.of(NONE), List.of(Set.of(5), Set.of(2), Set.of(7), Set.of(0)));
        }
    }

    /** One node has all locks, so one block of intents becomes full. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aLaterBlockOfIntentsIsRefused(String name) {
        int first = LogLayout.INTENTS + INTENTS_OF_A_BLOCK;
        try (Scene scene = new Scene(Protocols.named(name), 1, first + 10, 4 << 20)) {
            scene.play(first + 1, List.of(Set.of(3), Set.of(0)), List.of(Set.of(5, 6), Set.of(1, 4)));
        }
    }

    /** The transaction holds a block of intents. */
    @ParameterizedTest
    @MethodSource("protocols")
    void theLogIsRefusedAfterIntents(String name) {
        int rows = LogLayout.INTENTS + 60;
        try (Scene scene = new Scene(Protocols.named(name), 3, rows, 1024)) {
            scene.play(rows, List.of(Set.of(3), Set.of(0)), List.of(Set.of(5, 6, 7), Set.of(0, 1, 2)));
        }
    }

    /** The transaction holds no block, and its object is that of small transactions. */
    @ParameterizedTest
    @MethodSource("protocols")
    void theLogAloneIsRefused(String name) {
        int rows = LogLayout.INTENTS - 60;
        try (Scene scene = new Scene(Protocols.named(name), 3, rows, 1024)) {
            scene.play(rows, List.of(NONE), List.of(Set.of(5, 6), Set.of(0, 1)));
        }
    }

    /** A pool whose heap is held by another coordinator, but for a few blocks. */
    private static final class Scene implements AutoCloseable {
        private final int nodes;
        private final int rows;
        private final Fabric fabric;
        private final RecordCoordinator coordinator;
        private final LogHeapLayout heap;
        private final TableLayout table;
        private final Round round;
        private final MemorySegment landed;

        /** The blocks of each node that the other coordinator does not hold. */
        private final List<Set<Integer>> free;

        Scene(Protocol protocol, int nodes, int rows, long logSlotBytes) {
            this.nodes = nodes;
            this.rows = rows;
            free = new ArrayList<>(Collections.nCopies(nodes, NONE));
            fabric = Fabric.open("mem:?nodes=" + nodes);
            Session session = fabric.attach();
            int replicas = Math.min(2, nodes);
            PoolOptions options = new PoolOptions(
                            protocol.name(), replicas, nodes, 16 << 20, COORDINATORS, logSlotBytes)
                    .withLogHeap(BLOCKS * LogHeapLayout.BLOCK_BYTES);
            Catalog catalog = Catalog.open(fabric, session, options).withRows(protocol::rows);
            table = catalog.table(Schema.parse("rows(n:long)"), 2L * rows);
            coordinator = (RecordCoordinator) protocol.coordinator(session, catalog, new TxnCounter());
            heap = catalog.logHeap();
            round = coordinator.lane().growingRound(BLOCKS);
            landed = coordinator.lane().landing(LogHeapLayout.BLOCK_BYTES);
            for (long first = 0; first < rows; first += ROWS_OF_A_LOAD) {
                RecordTxn txn = (RecordTxn) coordinator.begin();
                for (long key = first; key < Math.min(rows, first + ROWS_OF_A_LOAD); key++) txn.put(table, key);
                assertEquals(Outcome.COMMITTED, txn.commit());
            }
        }

        @Override
        public void close() {
            coordinator.close();
            fabric.close();
        }

        /**
         * Is refused once or twice before each commit. If no block is free then, every second time those of the first
         * node are: the transaction is about to claim them when it finds none on the next node.
         *
         * @param asked how many objects are locked or about to be locked when a block is refused
         * @param tooFew blocks that are free when it is refused
         * @param enough blocks that are free when it commits
         */
        void play(int asked, List<Set<Integer>> tooFew, List<Set<Integer>> enough) {
            int turn = 0;
            for (Set<Integer> free : enough) {
                for (int refusals = 0; refusals <= turn % 2; refusals++) {
                    Set<Integer> few = tooFew.get((turn + refusals) % tooFew.size());
                    hold(few.isEmpty() && turn % 2 == 1 ? free : few, few);
                    isRefused(asked);
                    keptForeign();
                    commitsSmall();
                    keptForeign();
                }
                hold(free, free);
                commits(free);
                keptForeign();
                commitsSmall();
                turn++;
            }
        }

        /** Gives all blocks but the free ones to another coordinator, and fills them with its content. */
        private void hold(Set<Integer> ofFirstNode, Set<Integer> ofOthers) {
            landed.fill(CONTENT);
            for (int node = 0; node < nodes; node++) {
                free.set(node, node == 0 ? ofFirstNode : ofOthers);
                for (int block = 0; block < BLOCKS; block++) {
                    round.write(log(node), heap.owner(block), ownerToBe(node, block));
                    round.write(log(node), heap.block(block), LogHeapLayout.BLOCK_BYTES, landed, 0);
                    round.post().await();
                }
            }
        }

        private long ownerToBe(int node, int block) {
            return free.get(node).contains(block) ? 0 : LogHeapLayout.owner(FOREIGN, LogHeapLayout.LOG, 0, block);
        }

        private Region log(int node) {
            return coordinator.pool().log(node);
        }

        /** The other coordinator's blocks are as they were, and the rest of the heap is free again. */
        private void keptForeign() {
            for (int node = 0; node < nodes; node++)
                for (int block = 0; block < BLOCKS; block++) {
                    String where = "block " + block + " of node " + node;
                    assertEquals(ownerToBe(node, block), owner(node, block), where);
                    if (free.get(node).contains(block)) continue;
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

        private void isRefused(int asked) {
            RecordTxn txn = large();
            if (txn.execute()) assertEquals(Outcome.ABORTED, txn.commit());
            assertEquals(AbortReason.LOG_HEAP_BUSY, txn.abortReason());
            int count = 0;
            for (int i = 0; i < rows; i++) if (txn.writes().get(i).asked) count++;
            assertEquals(asked, count, "it was refused at another place");
            txn.rollback();
        }

        private void commits(Set<Integer> blocks) {
            RecordTxn txn = large();
            assertTrue(txn.execute(), () -> "aborted: " + txn.abortReason());
            int early = intentsInHeap(txn, blocks, true); // none if locks are taken at commit
            assertEquals(Outcome.COMMITTED, txn.commit(), () -> "aborted: " + txn.abortReason());
            int all = intentsInHeap(txn, blocks, false);
            assertEquals(Math.max(0, rows - LogLayout.INTENTS), all);
            assertTrue(early == 0 || early == all, "intents " + early + " of " + all);
        }

        /** Returns a transaction that has the room for its declarations. */
        private RecordTxn large() {
            RecordTxn txn = declared();
            while (txn.room().objects() < rows || txn.room().accesses() < rows) {
                boolean done = txn.execute() && txn.commit() == Outcome.COMMITTED;
                assertFalse(done, "it does not fit its room");
                assertEquals(AbortReason.NEEDS_ROOM, txn.abortReason());
                txn = declared();
            }
            return txn;
        }

        private RecordTxn declared() {
            RecordTxn txn = (RecordTxn) coordinator.begin();
            for (long key = 0; key < rows; key++) txn.update(table, key);
            return txn;
        }

        /**
         * Returns the number of intents outside the area of the coordinator. Each lies in a block that was free, at a
         * place of its own.
         *
         * @param held whether these blocks have to be those of this coordinator, for intents
         */
        private int intentsInHeap(RecordTxn txn, Set<Integer> allowed, boolean held) {
            Set<String> places = new HashSet<>();
            Set<String> blocks = new HashSet<>();
            for (int i = 0; i < txn.writes().count(); i++) {
                WriteTarget t = txn.writes().get(i);
                if (!t.asked || t.intent < heap.at()) continue;
                int node = coordinator.placement.primary(Pointer.partition(t.pointer));
                int block = (int) ((t.intent - heap.block(0)) / LogHeapLayout.BLOCK_BYTES);
                assertTrue(allowed.contains(block), "an intent lies in block " + block + ", which was not free");
                assertTrue(places.add(node + ":" + t.intent), "two intents have one place");
                if (held && blocks.add(node + ":" + block)) isOwn(owner(node, block));
            }
            return places.size();
        }

        private void isOwn(long owner) {
            assertEquals(coordinator.number(), LogHeapLayout.coordinator(owner));
            assertEquals(LogHeapLayout.INTENTS, LogHeapLayout.kind(owner));
        }

        private void commitsSmall() {
            RecordTxn txn = (RecordTxn) coordinator.begin();
            txn.update(table, 0);
            txn.update(table, rows - 1);
            assertTrue(txn.execute(), () -> "aborted: " + txn.abortReason());
            assertEquals(Outcome.COMMITTED, txn.commit(), () -> "aborted: " + txn.abortReason());
        }
    }
}
