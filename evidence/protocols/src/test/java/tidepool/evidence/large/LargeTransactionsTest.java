package tidepool.evidence.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.TransactionTooLargeException;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** Transactions of any size, compared with a map: inserts, updates and deletes mixed. */
class LargeTransactionsTest {
    /** A row of the typed API. */
    public record Item(@Key long id, long value, @Length(20) String text) {}

    /** Around each limit of the small room, and far beyond all of them. */
    private static List<Integer> sizes() {
        return switch (Effort.current()) {
            case QUICK -> List.of(1, 255, 257, 641, 3_000);
            case FULL -> List.of(1, 127, 128, 129, 255, 256, 257, 640, 641, 2_561, 10_000);
            case NIGHT -> List.of(1, 256, 257, 641, 10_000, 50_000);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford",
                "ford&undo=parallel",
                "ford&locking=separate&commit=separate",
                "ford-lv",
                "ford-lv&vcache=global",
                "farm",
                "drtmh",
                "farmv2",
                "motor",
                "hdtx",
                "hdtx&release=client"
            })
    void recordsAreThoseOfAMap(String protocol) {
        Map<Long, Item> expected = new TreeMap<>();
        Randomness random = new Randomness(Effort.firstSeed());
        int largest = sizes().getLast();
        try (Tidepool pool = Tidepool.open("mem:?logheap=64m&memory=256m&protocol=" + protocol)) {
            Table<Item> items = pool.table("items", Item.class, 4L * largest);
            for (int size : sizes())
                for (int turn = 0; turn < 2; turn++) {
                    int writes = size;
                    int keys = 3 * largest;
                    long seed = random.nextLong(Long.MAX_VALUE);
                    pool.transact(tx -> {
                        Randomness drawn = new Randomness(seed);
                        for (int i = 0; i < writes; i++) {
                            long id = drawn.nextLong(keys);
                            if (drawn.chance(1, 4)) items.delete(tx, id);
                            else items.put(tx, new Item(id, seed, "item " + i));
                        }
                    });
                    Randomness drawn = new Randomness(seed);
                    for (int i = 0; i < writes; i++) {
                        long id = drawn.nextLong(keys);
                        if (drawn.chance(1, 4)) expected.remove(id);
                        else expected.put(id, new Item(id, seed, "item " + i));
                    }
                    pool.transact(tx -> items.put(tx, new Item(-1, writes, "a small one after it")));
                }
            for (long from = 0; from < 3L * largest; from += 500) {
                long first = from;
                pool.transact(tx -> {
                    for (long id = first; id < first + 500; id++) {
                        Item want = expected.get(id);
                        Item is = items.find(tx, id).orElse(null);
                        assertEquals(want, is);
                    }
                });
            }
        }
    }

    /** Twice as many writes make twice as many verbs and bytes more, and hardly more trips. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void verbsAndBytesGrowLinearly(String name) {
        Protocol protocol = Protocols.named(name);
        int max = Effort.of(4_000, 8_000, 32_000);
        try (Fabric fabric = Fabric.open("mem:?nodes=3")) {
            Session session = fabric.attach();
            PoolOptions options = new PoolOptions(protocol.name(), 2, 0, 128 << 20, 4, 64 << 10).withLogHeap(32 << 20);
            Catalog catalog = Catalog.open(fabric, session, options).withRows(protocol::rows);
            TableLayout table = catalog.table(Schema.parse("rows(n:long,m:long)"), 2L * max);
            try (Coordinator coordinator = protocol.coordinator(session, catalog, new TxnCounter())) {
                insert(coordinator, table, max);
                Traffic quarter = update(coordinator, table, max / 4, 1);
                Traffic half = update(coordinator, table, max / 2, 2);
                Traffic whole = update(coordinator, table, max, 3);
                // The rest, which does not grow, is the zeros of the blocks for intents.
                double verbs = ratio(quarter.allVerbs(), half.allVerbs(), whole.allVerbs());
                double bytes = ratio(bytes(quarter), bytes(half), bytes(whole));
                System.out.println(name + ": for each write " + (double) whole.allVerbs() / max + " verbs, "
                        + (double) bytes(whole) / max + " bytes; trips " + half.roundTrips() + " and "
                        + whole.roundTrips());
                assertTrue(verbs > 1.95 && verbs < 2.05, "verbs " + verbs);
                assertTrue(bytes > 1.85 && bytes < 2.1, "bytes " + bytes);
                assertTrue(whole.roundTrips() <= half.roundTrips() + 8, "trips " + whole.roundTrips());
            }
        }
    }

    private static long bytes(Traffic traffic) {
        return traffic.bytesRead() + traffic.bytesWritten();
    }

    /** Returns by how much more the second doubling adds than the first. */
    private static double ratio(long quarter, long half, long whole) {
        return (double) (whole - half) / (half - quarter);
    }

    private static void insert(Coordinator coordinator, TableLayout table, int count) {
        commit(coordinator, txn -> {
            for (long key = 0; key < count; key++) txn.insert(table, key);
        });
    }

    /** Returns the traffic of the attempt that had the room. */
    private static Traffic update(Coordinator coordinator, TableLayout table, int count, long value) {
        for (int tries = 0; ; tries++) {
            assertTrue(tries < 10, "the room does not grow");
            Traffic before = coordinator.traffic().snapshot();
            Txn txn = coordinator.begin();
            for (long key = 0; key < count; key++) txn.update(table, key);
            if (!txn.execute()) {
                assertEquals(AbortReason.NEEDS_ROOM, txn.abortReason());
                continue;
            }
            for (int i = 0; i < count; i++) Words.plain(txn.memory(), txn.value(i), value);
            if (txn.commit() == Outcome.COMMITTED) return coordinator.traffic().since(before);
            assertEquals(AbortReason.NEEDS_ROOM, txn.abortReason());
        }
    }

    /** What a body does with a transaction on fields. */
    private interface Declarations {
        void of(Txn txn);
    }

    private static void commit(Coordinator coordinator, Declarations declarations) {
        for (int tries = 0; tries < 10; tries++) {
            Txn txn = coordinator.begin();
            declarations.of(txn);
            if (txn.commit() == Outcome.COMMITTED) return;
            assertEquals(AbortReason.NEEDS_ROOM, txn.abortReason());
        }
        throw new AssertionError("the room does not grow");
    }

    /** No option is needed for 10,000 writes: what a pool is opened with has to be enough for them. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void tenThousandPutsCommitInAPoolWithDefaultOptions(String protocol) {
        int count = 10_000;
        try (Tidepool pool = Tidepool.open("mem:?protocol=" + protocol)) {
            Table<Item> items = pool.table("items", Item.class, count);
            for (long value = 1; value <= 2; value++) {
                long put = value; // first all keys are new, then all are there
                long before = pool.statistics().commits();
                pool.transact(tx -> {
                    for (long id = 0; id < count; id++) items.put(tx, new Item(id, put, "item " + id));
                });
                assertEquals(1, pool.statistics().commits() - before);
                assertEquals(0, pool.statistics().aborts());
                long[] next = {0};
                items.stream().sorted(Comparator.comparingLong(Item::id)).forEach(item -> {
                    assertEquals(new Item(next[0], put, "item " + next[0]), item);
                    next[0]++;
                });
                assertEquals(count, next[0]);
            }
        }
    }

    /** A large transaction is no conflict: it needs one attempt, and no abort is counted. */
    @Test
    void aLackOfRoomIsNoConflict() {
        try (Tidepool pool = Tidepool.open("mem:?attempts=1")) {
            Table<Item> items = pool.table("items", Item.class, 10_000);
            pool.transact(tx -> {
                for (int id = 0; id < 5_000; id++) items.insert(tx, new Item(id, 1, "x"));
            });
            assertEquals(0, pool.statistics().aborts());
            assertEquals(1, pool.statistics().commits());
        }
    }

    /** A log that no heap holds is refused with a sentence, its blocks are free again, and small ones go on. */
    @Test
    void aLogLongerThanTheHeapIsRefused() {
        try (Tidepool pool = Tidepool.open("mem:?logheap=256k")) {
            Table<Item> items = pool.table("items", Item.class, 20_000);
            for (int turn = 0; turn < 3; turn++) {
                TransactionTooLargeException e = assertThrows(
                        TransactionTooLargeException.class,
                        () -> pool.transact(tx -> {
                            for (int id = 0; id < 5_000; id++) items.put(tx, new Item(id, 1, "x"));
                        }));
                assertTrue(e.getMessage().contains("logheap="), e.getMessage());
                pool.transact(tx -> {
                    for (int id = 0; id < 400; id++) items.put(tx, new Item(id, 2, "y"));
                });
            }
            assertEquals(2L, (long) pool.read(tx -> items.get(tx, 399).value()));
        }
    }

    /** Large transactions of two processes, and small ones next to them, in a heap that holds one of them at a time. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv?vcache=global", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void largeOnesTakeTurns(String name) {
        long[] busy = new long[1];
        int writes = 700;
        long heap = name.equals("motor") ? 256 << 10 : 192 << 10;
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 2, CostProfile.named("cx5"), Adversary.NONE);
            for (int who = 0; who < 3; who++) {
                String process = "process-" + who;
                long first = who * 1_000L;
                int mine = who == 2 ? 1 : writes;
                simulation.start(simulation.machine(process, 1), process, () -> {
                    try (Tidepool pool = open(fabric, name, heap)) {
                        Table<Item> items = pool.table("items", Item.class, 4_000);
                        for (int turn = 0; turn < (mine == 1 ? 60 : 5); turn++) {
                            long value = turn;
                            pool.transact(tx -> {
                                for (long id = first; id < first + mine; id++) items.put(tx, new Item(id, value, "z"));
                            });
                        }
                        busy[0] += pool.statistics().aborts(AbortReason.LOG_HEAP_BUSY);
                    }
                });
            }
            simulation.run();
            simulation.start(simulation.machine("last", 1), "last", () -> {
                try (Tidepool pool = open(fabric, name, heap)) {
                    Table<Item> items = pool.table("items", Item.class, 4_000);
                    for (long id : List.of(0L, writes - 1L, 1_000L, 1_000L + writes - 1))
                        assertEquals(4, (long) pool.read(tx -> items.get(tx, id).value()));
                }
            });
            simulation.run();
        }
        assertTrue(busy[0] > 0, "the heap was never busy");
    }

    /** A heap that cannot hold the locks of one transaction refuses it; it is not busy until the time is over. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void locksThatAHeapCannotHoldAreRefused(String name) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=1&replicas=1&logheap=64k&protocol=" + name)) {
            Table<Item> items = pool.table("items", Item.class, 20_000);
            for (long first = 0; first < 12_000; first += 100) {
                long from = first;
                pool.transact(tx -> {
                    for (long id = from; id < from + 100; id++) items.put(tx, new Item(id, 1, "z"));
                });
            }
            TransactionTooLargeException refused = assertThrows(
                    TransactionTooLargeException.class,
                    () -> pool.transact(tx -> {
                        for (long id = 0; id < 12_000; id++) items.delete(tx, id);
                    }));
            assertTrue(refused.getMessage().contains("logheap="), refused.getMessage());
            pool.transact(tx -> items.put(tx, new Item(-1, 1, "a small one after it")));
            assertEquals(0, pool.statistics().aborts(AbortReason.LOG_HEAP_BUSY));
        }
    }

    private static Tidepool open(SimFabric fabric, String name, long heap) {
        var made = Protocols.named(name);
        PoolOptions options = new PoolOptions(made.name(), 2, 2, 16 << 20, 6, 4 << 10);
        return PoolAccess.open(fabric, options.withLogHeap(heap), made);
    }
}
