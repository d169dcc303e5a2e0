package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.DuplicateKeyException;
import tidepool.NotFoundException;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.TransactionBody;
import tidepool.TransactionTooLargeException;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;

/**
 * For whatever reason a transaction is refused, and at whatever step, the next small one on its coordinator works, on
 * rows that the refused one had locked. The pool has one coordinator, so no other one can be used instead.
 */
class AfterRefusalTest {
    private static final int SMALL_ROWS = 700;
    private static final int LARGE_ROWS = 160;

    /** A row of a few bytes. */
    public record Small(@Key long id, long value) {}

    /** A row that is so large that a coordinator's memory holds about a hundred. */
    public record Large(
            @Key long id, long value, @Length(2000) String text) {}

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

    private static void in(String protocol, long logBytes, Consumer<Scene> play) {
        try (Simulation simulation = new Simulation(1)) {
            CostProfile costs = CostProfile.named("cx5").withLease(0);
            SimFabric fabric = new SimFabric(simulation, 3, costs, Adversary.NONE);
            simulation.start(simulation.machine("one", 1), "one", () -> {
                try (Scene scene = new Scene(fabric, protocol, logBytes)) {
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
        private final Table<Small> full;
        private int fresh = SMALL_ROWS;
        private int refused;

        Scene(SimFabric fabric, String protocol, long logBytes) {
            this.protocol = protocol;
            var made = Protocols.named(protocol);
            PoolOptions options = new PoolOptions(made.name(), 2, 3, 8 << 20, 1, logBytes, 0); // without a log heap
            pool = PoolAccess.open(fabric, options, made);
            small = pool.table("small", Small.class, 2 * SMALL_ROWS);
            large = pool.table("large", Large.class, 2 * LARGE_ROWS);
            full = pool.table("full", Small.class, 1);
            int atOnce = 10;
            for (int first = 0; logBytes > 4096 && first < SMALL_ROWS; first += atOnce) {
                int from = first;
                pool.transact(tx -> update(tx, from, from + atOnce));
            }
            for (int first = 0; logBytes > 4096 && first < LARGE_ROWS; first += atOnce) {
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
            assertTrue(refused > 3, protocol + ": refused " + refused);
        }

        private void attempt(TransactionBody<RuntimeException> body) {
            try {
                pool.transact(body);
                return;
            } catch (TransactionTooLargeException e) {
                refused++;
            }
            works();
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
    }
}
