package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.Cell;
import tidepool.DuplicateKeyException;
import tidepool.Rollback;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.Randomness;
import tidepool.fabric.sim.CostProfile;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.store.PoolOptions;
import tidepool.store.schema.Key;
import tidepool.store.schema.Length;

/**
 * The anomalies by their names, each as small as it gets, on two or three machines and many seeds. Each test also counts
 * how often its transactions really met: a litmus test whose parts never overlap proves nothing.
 */
class LitmusTest {
    private static final int SEEDS = Integer.getInteger("litmus.seeds", 150);
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** A number, with a tail of several cache lines that repeats it. */
    public record Row(
            @Key long key, long value, @Length(160) String tail) {
        static Row of(long key, long value) {
            return new Row(key, value, Long.toString(value).repeat(12));
        }

        boolean isWhole() {
            return tail.equals(Long.toString(value).repeat(12));
        }
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** A pool with a table, one machine for each part, and how often parts overlapped. */
    private static final class Stage {
        final Simulation simulation;
        final SimFabric fabric;
        final PoolOptions options = new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4 * 1024);
        int running;
        int overlaps;
        long aborts;

        Stage(Simulation simulation) {
            this.simulation = simulation;
            this.fabric = new SimFabric(simulation, 2, CostProfile.named("cx5"), ClusterOptions.DEATHS);
        }

        void alone(BiConsumer<Tidepool, Table<Row>> body) {
            together(List.of(body));
        }

        void together(List<BiConsumer<Tidepool, Table<Row>>> bodies) {
            int[] ready = {0};
            for (int i = 0; i < bodies.size(); i++) {
                BiConsumer<Tidepool, Table<Row>> body = bodies.get(i);
                String name = "c" + simulation.nowNanos() + "." + i;
                Randomness random = simulation.randomness(name);
                simulation.start(simulation.machine(name, 1), name, () -> {
                    Tidepool pool = Tidepool.open(fabric, options);
                    Table<Row> rows = pool.table("rows", Row.class, 1);
                    pool.compute(tx -> rows.get(tx, 1)); // warm
                    ready[0]++;
                    while (ready[0] < bodies.size()) tidepool.base.Waiting.pause(1_000);
                    tidepool.base.Waiting.pause(1 + random.nextInt(3_000));
                    if (running++ > 0) overlaps++;
                    body.accept(pool, rows);
                    running--;
                    aborts += pool.statistics().aborts();
                    pool.close();
                });
            }
            simulation.run();
        }

        long value(long key) {
            long[] found = {-1};
            alone((pool, rows) -> {
                Row row = pool.compute(tx -> rows.get(tx, key));
                if (row != null) found[0] = row.value();
            });
            return found[0];
        }
    }

    /** What one seed does; answers how often the interesting thing happened. */
    private interface Scene {
        void play(Stage stage);
    }

    private static void forAllSeeds(Scene scene) {
        int overlaps = 0;
        long aborts = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            try (Simulation simulation = new Simulation(seed)) {
                Stage stage = new Stage(simulation);
                stage.alone((pool, rows) -> pool.transact(tx -> {
                    for (long key = 0; key < 3; key++) rows.insert(tx, Row.of(key, 0));
                }));
                stage.overlaps = 0;
                scene.play(stage);
                overlaps += stage.overlaps;
                aborts += stage.aborts;
                new PoolCheckOf(stage).check();
            } catch (Throwable e) {
                throw new AssertionError("seed=" + seed + ": " + e.getMessage(), e);
            }
        }
        assertTrue(overlaps > SEEDS / 3, "the parts met only " + overlaps + " times in " + SEEDS + " seeds");
        System.out.println("litmus: seeds " + SEEDS + " overlaps " + overlaps + " aborts " + aborts);
    }

    /** The memory check of the cluster, on this table. */
    private record PoolCheckOf(Stage stage) {
        void check() {
            stage.simulation.settle();
            tidepool.store.TableInfo[] table = new tidepool.store.TableInfo[1];
            stage.alone((pool, rows) -> table[0] = rows.info());
            stage.simulation.settle();
            new PoolCheck(stage.fabric, table[0], false).check();
        }
    }

    private static void set(Table<Row> rows, Transaction tx, long key, long value) {
        rows.update(tx, key).set(Row.of(key, value));
    }

    private static long get(Table<Row> rows, Transaction tx, long key) {
        Row row = rows.get(tx, key);
        if (row == null) return -1;
        assertTrue(row.isWhole(), "torn: " + row);
        return row.value();
    }

    // ---- two transactions

    /** Each reads what the other writes; not both may go by the old values. Interleavings 1 and 2. */
    @Test
    void writeSkew() {
        forAllSeeds(stage -> {
            for (int round = 0; round < 3; round++) {
                stage.together(List.of(
                        (pool, rows) -> pool.transact(tx -> {
                            if (get(rows, tx, 0) + get(rows, tx, 1) == 0) set(rows, tx, 0, 1);
                        }),
                        (pool, rows) -> pool.transact(tx -> {
                            if (get(rows, tx, 0) + get(rows, tx, 1) == 0) set(rows, tx, 1, 1);
                        })));
                assertEquals(1, stage.value(0) + stage.value(1));
                stage.alone((pool, rows) -> pool.transact(tx -> {
                    set(rows, tx, 0, 0);
                    set(rows, tx, 1, 0);
                }));
            }
        });
    }

    @Test
    void lostUpdate() {
        forAllSeeds(stage -> {
            BiConsumer<Tidepool, Table<Row>> increments = (pool, rows) -> {
                for (int i = 0; i < 4; i++)
                    pool.transact(tx -> {
                        long seen = get(rows, tx, 0); // read first, then locked: the change is an access of its own
                        set(rows, tx, 0, seen + 1);
                    });
            };
            stage.together(List.of(increments, increments, increments));
            assertEquals(12, stage.value(0));
        });
    }

    /** A pair that is always equal is never seen unequal. */
    @Test
    void readSkewAndFracturedReads() {
        forAllSeeds(stage -> stage.together(List.of(
                (pool, rows) -> {
                    for (int i = 1; i <= 6; i++) {
                        long value = i;
                        pool.transact(tx -> {
                            set(rows, tx, 0, value);
                            set(rows, tx, 1, value);
                        });
                    }
                },
                (pool, rows) -> {
                    for (int i = 0; i < 6; i++) {
                        List<Long> seen = new ArrayList<>();
                        pool.transact(tx -> {
                            Cell<Row> x = rows.read(tx, 0);
                            Cell<Row> y = rows.read(tx, 1);
                            seen.clear();
                            seen.add(x.get().value());
                            seen.add(y.get().value());
                        });
                        assertEquals(seen.get(0), seen.get(1));
                    }
                })));
    }

    /** Two writers of different keys, two readers: they must not disagree about who came first. */
    @Test
    void longFork() {
        forAllSeeds(stage -> {
            List<String> seen = new ArrayList<>();
            BiConsumer<Tidepool, Table<Row>> reader = (pool, rows) -> {
                for (int i = 0; i < 4; i++) {
                    String[] pair = new String[1];
                    pool.transact(tx -> pair[0] = get(rows, tx, 0) + "" + get(rows, tx, 1));
                    seen.add(pair[0]);
                }
            };
            stage.together(List.of(
                    (pool, rows) -> pool.transact(tx -> set(rows, tx, 0, 1)),
                    (pool, rows) -> pool.transact(tx -> set(rows, tx, 1, 1)),
                    reader,
                    reader));
            assertTrue(!seen.contains("10") || !seen.contains("01"), "fork: " + seen);
        });
    }

    /** What was rolled back, or is not yet committed, is seen by nobody. Interleaving 5. */
    @Test
    void dirtyAndAbortedReads() {
        forAllSeeds(stage -> stage.together(List.of(
                (pool, rows) -> {
                    for (int i = 1; i <= 6; i++) {
                        boolean keeps = i % 2 == 0;
                        long value = keeps ? i : 666;
                        try {
                            pool.transact(tx -> {
                                set(rows, tx, 0, value);
                                tx.raw().execute();
                                if (!keeps) throw new Rollback("as planned");
                            });
                        } catch (Rollback e) {
                            assertTrue(!keeps);
                        }
                    }
                },
                (pool, rows) -> {
                    for (int i = 0; i < 10; i++) {
                        long seen = pool.<Long>compute(tx -> get(rows, tx, 0));
                        assertNotEquals(666, seen);
                    }
                })));
    }

    /** A large value on the path of a single key, which is not validated: always whole. */
    @Test
    void tornValueOfASingleKey() {
        forAllSeeds(stage -> stage.together(List.of(
                (pool, rows) -> {
                    for (int i = 1; i <= 10; i++) {
                        long value = i;
                        pool.transact(tx -> set(rows, tx, 0, value));
                    }
                },
                (pool, rows) -> {
                    long last = 0;
                    for (int i = 0; i < 12; i++) {
                        long seen = pool.<Long>compute(tx -> get(rows, tx, 0));
                        assertTrue(seen >= last, seen + " after " + last);
                        last = seen;
                    }
                })));
    }

    /** r(z) w(x) beside w(z) that was reported, beside a read of x: interleavings 3 and 4. */
    @Test
    void readerDoesNotOvertakeWhoReadBeforeIt() {
        forAllSeeds(stage -> {
            boolean[] reported = {false};
            long[] seen = {-1, -1};
            long[] wrote = {-1};
            stage.together(List.of(
                    (pool, rows) -> pool.transact(tx -> {
                        Cell<Row> z = rows.read(tx, 0);
                        Cell<Row> x = rows.update(tx, 1);
                        wrote[0] = z.get().value();
                        x.set(Row.of(1, 10 + wrote[0]));
                    }),
                    (pool, rows) -> {
                        pool.transact(tx -> set(rows, tx, 0, 1));
                        reported[0] = true;
                        // z is reported; whoever read the old z precedes us and must be seen.
                        seen[0] = pool.<Long>compute(tx -> get(rows, tx, 1));
                    }));
            if (wrote[0] == 0) assertEquals(10, seen[0], "x must show who read the old z");
        });
    }

    // ---- keys that come and go

    /** Both look for the other's key and insert their own if it is not there: a phantom would let both. */
    @Test
    void phantomByInsert() {
        forAllSeeds(stage -> {
            stage.together(List.of(
                    (pool, rows) -> pool.transact(tx -> {
                        if (get(rows, tx, 101) < 0) rows.insert(tx, Row.of(100, 1));
                    }),
                    (pool, rows) -> pool.transact(tx -> {
                        if (get(rows, tx, 100) < 0) rows.insert(tx, Row.of(101, 1));
                    })));
            assertTrue(stage.value(100) < 0 || stage.value(101) < 0, "both inserted");
        });
    }

    @Test
    void insertAndInsertOfOneKey() {
        forAllSeeds(stage -> {
            int[] won = {0};
            BiConsumer<Tidepool, Table<Row>> inserts = (pool, rows) -> {
                try {
                    pool.transact(tx -> rows.insert(tx, Row.of(100, 5)));
                    won[0]++;
                } catch (DuplicateKeyException e) {
                    // the other was first
                }
            };
            stage.together(List.of(inserts, inserts, inserts));
            assertEquals(1, won[0]);
            assertEquals(5, stage.value(100));
        });
    }

    /** More inserts at once than a bucket has slots: all are there, each once, in overflow buckets. */
    @Test
    void insertsIntoAFullBucket() {
        forAllSeeds(stage -> {
            List<BiConsumer<Tidepool, Table<Row>>> parts = new ArrayList<>();
            for (int p = 0; p < 3; p++) {
                long first = 200 + 10L * p;
                parts.add((pool, rows) -> {
                    for (long key = first; key < first + 4; key++) {
                        long inserted = key;
                        pool.transact(tx -> rows.insert(tx, Row.of(inserted, inserted)));
                    }
                });
            }
            stage.together(parts);
            stage.alone((pool, rows) -> pool.transact(tx -> {
                for (int p = 0; p < 3; p++)
                    for (long key = 200 + 10L * p; key < 204 + 10L * p; key++) assertEquals(key, get(rows, tx, key));
            }));
        });
    }

    /** Deleted and inserted again, perhaps elsewhere, while others have its old address. Interleaving 19. */
    @Test
    void staleAddressAfterDeleteAndInsert() {
        forAllSeeds(stage -> {
            long[] misses = {0};
            stage.together(List.of(
                    (pool, rows) -> {
                        for (int i = 1; i <= 5; i++) {
                            long value = i;
                            pool.transact(tx -> rows.delete(tx, 1));
                            pool.transact(tx -> rows.insert(tx, Row.of(300 + value, 7)));
                            pool.transact(tx -> rows.insert(tx, Row.of(1, value)));
                            pool.transact(tx -> rows.delete(tx, 300 + value));
                        }
                    },
                    (pool, rows) -> {
                        long last = 0;
                        for (int i = 0; i < 15; i++) {
                            long seen = pool.<Long>compute(tx -> get(rows, tx, 1));
                            if (seen < 0) misses[0]++;
                            else assertTrue(seen >= last && seen < 7, seen + " after " + last);
                            last = Math.max(last, seen);
                        }
                    },
                    (pool, rows) -> {
                        for (int i = 0; i < 6; i++)
                            pool.transact(tx -> {
                                Cell<Row> cell = rows.update(tx, 1);
                                if (cell.isPresent())
                                    cell.set(Row.of(1, cell.get().value()));
                            });
                    }));
            assertEquals(5, stage.value(1));
        });
    }

    /** A key that is moved, in one transaction, is always found under exactly one of its two names. */
    @Test
    void movedKeyIsNeverMissed() {
        forAllSeeds(stage -> stage.together(List.of(
                (pool, rows) -> {
                    for (int i = 0; i < 6; i++) {
                        long from = i % 2 == 0 ? 2 : 102;
                        long to = i % 2 == 0 ? 102 : 2;
                        pool.transact(tx -> {
                            rows.delete(tx, from);
                            rows.insert(tx, Row.of(to, 9));
                        });
                    }
                },
                (pool, rows) -> {
                    for (int i = 0; i < 8; i++) {
                        int found = pool.<Integer>compute(
                                tx -> (rows.get(tx, 2) != null ? 1 : 0) + (rows.get(tx, 102) != null ? 1 : 0));
                        assertEquals(1, found);
                    }
                })));
    }

    // ---- locks

    /** Many that abort beside one that commits: nobody's lock is freed by another. F1. */
    @Test
    void foreignUnlockUnderAnAbortStorm() {
        forAllSeeds(stage -> {
            BiConsumer<Tidepool, Table<Row>> storm = (pool, rows) -> {
                for (int i = 0; i < 6; i++)
                    try {
                        pool.transact(tx -> {
                            Cell<Row> x = rows.update(tx, 0);
                            Cell<Row> y = rows.update(tx, 1);
                            x.set(Row.of(0, x.get().value() + 1));
                            y.set(Row.of(1, y.get().value() + 1));
                            if (tx.id() % 3 == 0) throw new Rollback("storm");
                        });
                    } catch (Rollback e) {
                        // as planned
                    }
            };
            stage.together(List.of(storm, storm, storm));
            assertEquals(stage.value(0), stage.value(1));
            assertTrue(stage.aborts > 0, "nobody aborted");
        });
    }
}
