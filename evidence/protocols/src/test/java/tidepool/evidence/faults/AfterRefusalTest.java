package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.ConflictException;
import tidepool.DuplicateKeyException;
import tidepool.NotFoundException;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.TransactionBody;
import tidepool.TransactionTooLargeException;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.LogHeapLayout;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;
import tidepool.txn.AbortReason;

/**
 * For whatever reason a transaction is refused, and at whatever step, the next small one on its coordinator works, on
 * rows that the refused one had locked. The pool has one coordinator, so no other one can be used instead.
 */
class AfterRefusalTest {
    private static final int SMALL_ROWS = 700;
    private static final int LARGE_ROWS = 160;

    /** A row of a few bytes. */
    public record Small(@Key long id, long value) {}

    /** A row with a long content. */
    public record Large(
            @Key long id, long value, @Length(2000) String text) {}

    private static final int CONTENT_BYTES = 2_000;
    private static final byte[] CONTENT = new byte[CONTENT_BYTES];

    /** A row that is so wide that the memory of a small transaction has room for about a hundred. */
    public record Wide(
            @Key long id, long value, @Length(CONTENT_BYTES) byte[] content) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

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

    /** Every reason for which a transaction can be refused at once. */
    @ParameterizedTest
    @MethodSource("protocols")
    void theNextTransactionWorks(String protocol) {
        in(protocol, 64 * 1024, Scene::refusals);
    }

    /**
     * Transactions of every size: they run out of memory, of log and of objects at all points at which they ask for
     * some.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void theNextTransactionWorksWhateverTheSize(String protocol) {
        in(protocol, 1 << 20, scene -> scene.sizes(Effort.of(23, 11, 2)));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void theNextTransactionWorksIfTheLogIsShort(String protocol) {
        in(protocol, 1024, scene -> scene.sizes(Effort.of(90, 60, 7)));
    }

    /**
     * Transactions around the most objects that are locked without the log heap, and around the longest log that it
     * holds. Large transactions work after a refusal, too.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void theNextTransactionWorksIfTheLogHeapIsShort(String protocol) {
        in(protocol, 1024, 4, Scene::aroundTheHeap);
    }

    /** The blocks that another coordinator holds do not change, whatever is refused because of them. */
    @ParameterizedTest
    @MethodSource("protocols")
    void theNextTransactionWorksIfTheLogHeapIsHeldByOthers(String protocol) {
        in(protocol, 16 * 1024, 8, Scene::heldHeap);
    }

    private static void in(String protocol, long logBytes, Consumer<Scene> play) {
        in(protocol, logBytes, 0, play);
    }

    private static void in(String protocol, long logBytes, int heapBlocks, Consumer<Scene> play) {
        try (Simulation simulation = new Simulation(1)) {
            CostProfile costs = CostProfile.named("cx5").withLease(0);
            SimFabric fabric = new SimFabric(simulation, 3, costs, Adversary.NONE);
            simulation.start(simulation.machine("one", 1), "one", () -> {
                try (Scene scene = new Scene(fabric, protocol, logBytes, heapBlocks)) {
                    play.accept(scene);
                }
            });
            simulation.run();
        }
    }

    /** A pool with one coordinator, and the transactions on it. */
    private static final class Scene implements AutoCloseable {
        private final String protocol;
        private final Tidepool pool;
        private final Table<Small> small;
        private final Table<Large> large;
        private final Table<Wide> wide;
        private final Table<Small> full;
        private final boolean hasHeap;
        private final HeldBlocks held; // null if there is no heap
        private int fresh = SMALL_ROWS;
        private int refused;
        private int busy;

        Scene(SimFabric fabric, String protocol, long logBytes, int heapBlocks) {
            this.protocol = protocol;
            var made = Protocols.named(protocol);
            long heapBytes = heapBlocks * LogHeapLayout.BLOCK_BYTES;
            PoolOptions options = new PoolOptions(made.name(), 2, 3, 8 << 20, 1, logBytes, heapBytes);
            pool = PoolAccess.open(fabric, options, made);
            hasHeap = heapBlocks > 0;
            held = hasHeap ? new HeldBlocks(fabric, made, options) : null;
            small = pool.table("small", Small.class, 2 * SMALL_ROWS);
            large = pool.table("large", Large.class, 2 * LARGE_ROWS);
            wide = pool.table("wide", Wide.class, 2 * LARGE_ROWS);
            full = pool.table("full", Small.class, 1);
            int atOnce = 10;
            boolean loads = hasHeap || logBytes > 4096;
            for (int first = 0; loads && first < SMALL_ROWS; first += atOnce) {
                int from = first;
                pool.transact(tx -> update(tx, from, from + atOnce));
            }
            for (int first = 0; logBytes > 4096 && !hasHeap && first < LARGE_ROWS; first += atOnce) {
                int from = first;
                pool.transact(tx -> updateLarge(tx, from, from + atOnce));
            }
        }

        @Override
        public void close() {
            pool.close();
        }

        // ---- refusals at once

        void refusals() {
            grows(tx -> read(tx, 0, 641));
            grows(tx -> {
                update(tx, 0, 3);
                tx.execute();
                read(tx, 3, 700);
            });
            tooLarge(tx -> update(tx, 0, 257));
            tooLarge(tx -> {
                update(tx, 0, 200);
                tx.execute();
                update(tx, 200, 300);
            });
            tooLarge(tx -> delete(tx, 0, 257));
            tooLarge(tx -> {
                for (int key = 10_000; key < 10_300; key++) small.insert(tx, new Small(key, 1));
            });
            grows(
                    tx -> { // more than a new bucket holds, in one chain
                        for (int key = 0; key < 200; key++) full.insert(tx, new Small(10_000 + key, 1));
                    });
            // A full table is noticed after other rows are locked.
            long last = fill();
            refusedWith(StoreException.class, tx -> {
                update(tx, 0, 3);
                full.insert(tx, new Small(last, 1));
            });
            refusedWith(IllegalArgumentException.class, tx -> {
                update(tx, 0, 3);
                large.insert(tx, new Large(1_000, 1, "x".repeat(2_001)));
            });
            refusedWith(NotFoundException.class, tx -> {
                update(tx, 0, 3);
                small.update(tx, 5_000).set(new Small(5_000, 1));
            });
            refusedWith(DuplicateKeyException.class, tx -> {
                update(tx, 0, 3);
                small.insert(tx, new Small(4, 1));
                tx.execute();
            });
            refusedWith(NullPointerException.class, tx -> {
                update(tx, 0, 3);
                tx.execute();
                small.insert(tx, null);
            });
            refusedWith(IllegalArgumentException.class, tx -> {
                update(tx, 0, 3);
                tx.execute();
                small.update(tx, 4).set(new Small(5, 1));
            });
            refusedWith(ArithmeticException.class, tx -> {
                update(tx, 0, 3);
                tx.execute();
                throw new ArithmeticException("of the application");
            });
            try (Tidepool other = Tidepool.open("mem:?memory=1m")) {
                Table<Small> elsewhere = other.table("small", Small.class, 10);
                refusedWith(IllegalArgumentException.class, tx -> {
                    update(tx, 0, 3);
                    tx.execute();
                    elsewhere.insert(tx, new Small(1, 1));
                });
            }
            assertThrows(
                    IllegalStateException.class,
                    () -> pool.read(tx -> {
                        small.put(tx, new Small(1, 1));
                        return null;
                    }));
            works();
            Transaction rolledBack = pool.begin();
            update(rolledBack, 0, 3);
            rolledBack.execute();
            rolledBack.rollback();
            works();
        }

        /** Returns the key for which there was no room. */
        private long fill() {
            for (int key = 20_000; ; key++) {
                int id = key;
                try {
                    pool.transact(tx -> full.insert(tx, new Small(id, 1)));
                } catch (StoreException e) {
                    assertEquals(StoreException.Reason.FULL, e.reason());
                    works();
                    return id;
                }
            }
        }

        // ---- transactions of every size

        void sizes(int step) {
            for (int count = 1; count <= SMALL_ROWS; count += step) {
                int size = count;
                attempt(tx -> update(tx, 0, size));
                attempt(tx -> {
                    update(tx, 0, Math.min(size, 200));
                    read(tx, 200, 200 + size);
                });
            }
            for (int count = 1; count <= LARGE_ROWS; count += step) {
                int size = count;
                attempt(tx -> updateLarge(tx, 0, size));
                attempt(tx -> {
                    updateLarge(tx, 0, size);
                    read(tx, 200, 201);
                });
                attempt(tx -> {
                    updateLarge(tx, 0, size / 2);
                    tx.execute();
                    for (int key = size / 2; key < size; key++) large.read(tx, key);
                });
                attempt(tx -> {
                    for (int key = 0; key < size; key++) large.put(tx, new Large(1_000 + key, 1, "y"));
                });
                attempt(tx -> {
                    for (int key = 0; key < size; key++) large.delete(tx, 1_000 + key);
                });
            }
            for (int size : List.of(70, 120)) attempt(tx -> updateWide(tx, 0, size)); // runs out of local memory
            assertTrue(refused > 3, protocol + ": refused " + refused);
        }

        // ---- with a log heap

        void aroundTheHeap() {
            for (int size : List.of(255, 256, 257, 300, SMALL_ROWS)) {
                attempt(tx -> update(tx, 0, size));
                attempt(tx -> {
                    update(tx, 0, 100);
                    tx.execute();
                    update(tx, 100, size);
                    read(tx, size, SMALL_ROWS);
                });
            }
            // The heap holds the images of about 190 wide rows.
            int step = Effort.of(60, 40, 4);
            for (int count = 150; count <= 230; count += step) {
                int size = count;
                attempt(tx -> updateWide(tx, 0, size));
                attempt(tx -> {
                    updateWide(tx, 0, size / 2);
                    tx.execute();
                    updateWide(tx, size / 2, size);
                    update(tx, 0, 300);
                });
            }
            if (logsValues()) assertTrue(refused > 1, protocol + ": refused " + refused);
        }

        /** Whether images in a log have the values of rows. Those of Motor lie next to the rows, and are not logged. */
        private boolean logsValues() {
            return !protocol.startsWith("motor");
        }

        /** Another coordinator holds all blocks, all but one, and all but two. */
        void heldHeap() {
            for (List<Integer> free : List.of(List.<Integer>of(), List.of(3), List.of(6), List.of(1, 4)))
                for (int size : List.of(256, 257, SMALL_ROWS)) {
                    held.hold(free);
                    attempt(tx -> update(tx, 0, size));
                    attempt(tx -> {
                        update(tx, 0, 200);
                        tx.execute();
                        update(tx, 200, size);
                    });
                    attempt(tx -> updateLarge(tx, 0, 60));
                    if (size == 256)
                        attempt(tx -> {
                            update(tx, 0, size);
                            updateWide(tx, 0, 60);
                        });
                    held.requireUnchanged();
                    held.hold(held.all());
                    worksLarge();
                }
            assertTrue(busy > 10, protocol + ": busy " + busy);
        }

        private void attempt(TransactionBody<RuntimeException> body) {
            try {
                if (hasHeap && !held.areFree()) pool.attempts(3).transact(body);
                else pool.transact(body);
                return;
            } catch (TransactionTooLargeException e) {
                refused++;
            } catch (ConflictException e) {
                assertEquals(AbortReason.LOG_HEAP_BUSY, e.reason(), protocol);
                busy++;
            }
            works();
            if (hasHeap && held.areFree()) worksLarge();
        }

        // ---- parts of transactions

        private void read(Transaction tx, int from, int to) {
            for (int key = from; key < to; key++) small.read(tx, key);
        }

        private void update(Transaction tx, int from, int to) {
            for (int key = from; key < to; key++) small.put(tx, new Small(key, 1));
        }

        private void delete(Transaction tx, int from, int to) {
            for (int key = from; key < to; key++) small.delete(tx, key);
        }

        private void updateWide(Transaction tx, int from, int to) {
            for (int key = from; key < to; key++) wide.put(tx, new Wide(key, 1, CONTENT));
        }

        private void updateLarge(Transaction tx, int from, int to) {
            for (int key = from; key < to; key++) large.put(tx, new Large(key, 1, "y"));
        }

        /** Runs a transaction that does not fit its first attempt. */
        private void grows(TransactionBody<RuntimeException> body) {
            pool.transact(body);
            works();
        }

        private void tooLarge(TransactionBody<RuntimeException> body) {
            refusedWith(TransactionTooLargeException.class, body);
        }

        private void refusedWith(Class<? extends RuntimeException> what, TransactionBody<RuntimeException> body) {
            assertThrows(what, () -> pool.transact(body), protocol);
            works();
        }

        /** Writes and reads the rows that the refused transaction may have locked; inserts and deletes a row. */
        private void works() {
            long value = ++fresh;
            for (long key : new long[] {0, 2, 199}) {
                pool.attempts(3).transact(tx -> small.put(tx, new Small(key, value)));
                assertEquals(value, pool.read(tx -> small.get(tx, key)).value());
            }
            pool.attempts(3).transact(tx -> {
                small.insert(tx, new Small(30_000 + value, value));
                small.read(tx, 3);
            });
            pool.attempts(3).transact(tx -> small.delete(tx, 30_000 + value));
        }

        /** Writes more rows than are locked without the log heap. */
        private void worksLarge() {
            long value = ++fresh;
            pool.attempts(3).transact(tx -> {
                for (int key = 0; key < 300; key++) small.put(tx, new Small(key, value));
            });
            for (long key : new long[] {0, 255, 256, 299})
                assertEquals(value, pool.read(tx -> small.get(tx, key)).value());
        }
    }

    /** Blocks of the log heap that another coordinator holds. */
    private static final class HeldBlocks {
        private static final int OTHER = 1;
        private static final byte CONTENT = 0x5a;

        private final PoolRegions regions;
        private final LogHeapLayout heap;
        private final Round round;
        private final MemorySegment landed;
        private List<Integer> free;

        HeldBlocks(SimFabric fabric, Protocol protocol, PoolOptions options) {
            Session session = fabric.attach();
            Lane lane = session.lane();
            Catalog catalog = Catalog.open(fabric, session, options).withRows(protocol::rows);
            regions = new PoolRegions(lane, catalog);
            heap = catalog.logHeap();
            round = lane.growingRound(2 * heap.blocks());
            landed = lane.landing(LogHeapLayout.BLOCK_BYTES);
            free = all();
        }

        List<Integer> all() {
            return IntStream.range(0, heap.blocks()).boxed().toList();
        }

        boolean areFree() {
            return free.size() == heap.blocks();
        }

        /** Gives all blocks but these to the other coordinator. */
        void hold(List<Integer> allBut) {
            free = allBut;
            landed.fill(CONTENT);
            for (int node = 0; node < regions.nodes(); node++) {
                for (int block = 0; block < heap.blocks(); block++) {
                    round.write(regions.log(node), heap.owner(block), owner(block));
                    if (free.contains(block)) continue;
                    round.write(regions.log(node), heap.block(block), LogHeapLayout.BLOCK_BYTES, landed, 0);
                }
                round.post().await();
            }
        }

        private long owner(int block) {
            return free.contains(block) ? 0 : LogHeapLayout.owner(OTHER, LogHeapLayout.LOG, 0, block);
        }

        /** Blocks of the other coordinator have their content, and all others are given back. */
        void requireUnchanged() {
            for (int node = 0; node < regions.nodes(); node++)
                for (int block = 0; block < heap.blocks(); block++) {
                    String where = "block " + block + " of node " + node;
                    round.read(regions.log(node), heap.owner(block), Words.BYTES, landed, 0)
                            .post()
                            .await();
                    assertEquals(owner(block), Words.plain(landed, 0), where);
                    if (free.contains(block)) continue;
                    round.read(regions.log(node), heap.block(block), LogHeapLayout.BLOCK_BYTES, landed, 0)
                            .post()
                            .await();
                    for (long at = 0; at < LogHeapLayout.BLOCK_BYTES; at++)
                        assertEquals(CONTENT, landed.get(ValueLayout.JAVA_BYTE, at), where);
                }
        }
    }
}
