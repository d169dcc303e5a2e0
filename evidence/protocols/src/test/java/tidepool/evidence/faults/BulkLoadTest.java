package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.ConflictException;
import tidepool.Table;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterOptions;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * Loads on a simulated machine that dies at any verb, next to a writer, and are resumed, up to three times. After each
 * death the table has the rows of whole batches, the first ones, as many as the position of the load says. A resumed
 * load refuses keys that exist, so it also fails if it begins too early.
 */
class BulkLoadTest {
    private static final int ROWS = 60;
    private static final long FIRST_OTHER = 1_000;
    private static final String LOAD = "load";

    /** A row of the load, or one of the writer. */
    public record Row(@Key long id, long amount) {}

    /** The position of a sloppy loader. */
    public record Position(@Key @Length(8) String name, long rows) {}

    /** A way to load rows after those that are in the table. */
    private interface Loading {
        void load(Tidepool pool, Table<Row> rows, List<Row> source, int batch);

        /** Returns how many rows are in the table, as the position of the load says. */
        long position(Tidepool pool);
    }

    /** The loader of the product. */
    private static final class Right implements Loading {
        @Override
        public void load(Tidepool pool, Table<Row> rows, List<Row> source, int batch) {
            try (TableLoader<Row> loader = rows.loader().batch(batch).resume(LOAD)) {
                source.forEach(loader::add);
                loader.finish();
            }
        }

        @Override
        public long position(Tidepool pool) {
            TableHandle loads = pool.tables().stream()
                    .filter(each -> each.name().equals("_loads"))
                    .findAny()
                    .orElse(null);
            if (loads == null) return 0; // it died before it could make its table
            LongField rows = loads.schema().longField("rows");
            return pool.pages(loads, 10, (key, memory, value) -> rows.get(memory, value)).stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    /** Loaders whose position may differ from the table after a crash. */
    enum SloppyLoader implements Loading {
        /** The position is written in a transaction of its own, before the rows. */
        POSITION_BEFORE_ROWS {
            @Override
            void commit(Tidepool pool, Table<Row> rows, List<Row> batch, long before) {
                advance(pool, before + batch.size());
                pool.transact(tx -> batch.forEach(row -> rows.insert(tx, row)));
            }
        },

        /** The position is written in a transaction of its own, after the rows. */
        POSITION_AFTER_ROWS {
            @Override
            void commit(Tidepool pool, Table<Row> rows, List<Row> batch, long before) {
                pool.transact(tx -> batch.forEach(row -> rows.insert(tx, row)));
                advance(pool, before + batch.size());
            }
        },

        /** The last row of a batch travels with the position, and the others each alone. */
        ROWS_ALONE {
            @Override
            void commit(Tidepool pool, Table<Row> rows, List<Row> batch, long before) {
                for (Row row : batch.subList(0, batch.size() - 1)) pool.transact(tx -> rows.insert(tx, row));
                pool.transact(tx -> {
                    rows.insert(tx, batch.getLast());
                    positions(pool).put(tx, new Position(LOAD, before + batch.size()));
                });
            }
        };

        abstract void commit(Tidepool pool, Table<Row> rows, List<Row> batch, long before);

        @Override
        public void load(Tidepool pool, Table<Row> rows, List<Row> source, int batch) {
            for (long from = position(pool); from < source.size(); from += batch)
                commit(pool, rows, source.subList((int) from, (int) Math.min(source.size(), from + batch)), from);
        }

        @Override
        public long position(Tidepool pool) {
            Position found = pool.read(tx -> positions(pool).get(tx, LOAD));
            return found == null ? 0 : found.rows();
        }

        private static Table<Position> positions(Tidepool pool) {
            return pool.table("positions", Position.class, 10);
        }

        private static void advance(Tidepool pool, long to) {
            pool.transact(tx -> positions(pool).put(tx, new Position(LOAD, to)));
        }
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return IterationTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aDeadLoaderLeavesWholeBatches(String protocol) {
        int[] halves = new int[1];
        Effort.seeds(4, 12, 1_000).forEach(seed -> {
            Run run = new Run(seed, Protocols.named(protocol), new Right());
            run.play();
            assertTrue(run.wrong == null, run.wrong + " seed=" + seed);
            halves[0] += run.halves;
        });
        assertTrue(halves[0] > 0, "no loader died between two batches");
    }

    @ParameterizedTest
    @EnumSource
    void aSloppyLoaderIsFound(SloppyLoader loader) {
        for (long seed = 1; seed <= 400; seed++) {
            Run run = new Run(seed, Protocols.named("ford"), loader);
            try {
                run.play();
            } catch (AssertionError | RuntimeException e) {
                return;
            }
            if (run.wrong != null) return;
        }
        throw new AssertionError("400 seeds have not found " + loader);
    }

    private static final class Run {
        private final long seed;
        private final Protocol protocol;
        private final Loading loading;
        private final Simulation simulation;
        private final Randomness random;
        private final List<Row> source = new ArrayList<>();
        private final int batch;
        private String wrong;
        private int halves;

        Run(long seed, Protocol protocol, Loading loading) {
            this.seed = seed;
            this.protocol = protocol;
            this.loading = loading;
            this.simulation = new Simulation(seed);
            this.random = new Randomness(seed);
            this.batch = 2 + random.nextInt(12);
            for (int i = 0; i < ROWS; i++) source.add(new Row((i * 37L + seed) % ROWS, i));
        }

        void play() {
            try (simulation) {
                CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
                SimFabric fabric = new SimFabric(simulation, 2, costs, ClusterOptions.DEATHS);
                start("setup", () -> setUp(fabric));
                simulation.run();
                for (int i = 0; i < 4 && wrong == null; i++) {
                    String loader = "loader" + i;
                    if (i < 3) simulation.crashMachineOf(loader, random.nextInt(300), When.AFTER);
                    start(loader, () -> load(fabric));
                    String writer = "writer" + i;
                    start(writer, () -> write(fabric));
                    simulation.run();
                    boolean isLast = i == 3;
                    start("judge" + i, () -> judge(fabric, isLast));
                    simulation.run();
                }
                simulation.settle();
            }
        }

        private void start(String name, Runnable body) {
            simulation.start(simulation.machine(name, 1), name, body);
        }

        private Tidepool open(SimFabric fabric) {
            return PoolAccess.open(fabric, new PoolOptions(protocol.name(), 2, 2, 2 << 20, 8, 16 * 1024), protocol);
        }

        private static Table<Row> table(Tidepool pool) {
            return pool.table("rows", Row.class, 2L * ROWS);
        }

        private void setUp(SimFabric fabric) {
            Tidepool pool = open(fabric);
            table(pool);
            pool.close();
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric);
            loading.load(pool, table(pool), source, batch);
            pool.close();
        }

        private void write(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Row> rows = table(pool);
            Randomness own = new Randomness(seed + 1);
            for (int i = 0; i < 20; i++) {
                long id = FIRST_OTHER + own.nextInt(10);
                try {
                    pool.transact(tx -> {
                        if (rows.exists(tx, id)) rows.delete(tx, id);
                        else rows.insert(tx, new Row(id, 0));
                    });
                } catch (ConflictException e) {
                    // The writer may lose: here only loads are judged.
                }
                Waiting.pause(1 + own.nextInt(20_000));
            }
            pool.close();
        }

        private void judge(SimFabric fabric, boolean isLast) {
            Tidepool pool = open(fabric);
            Map<Long, Long> found = new TreeMap<>();
            table(pool).forEach(row -> {
                if (row.id() < FIRST_OTHER) found.put(row.id(), row.amount());
            });
            long position = loading.position(pool);
            Map<Long, Long> expected = new TreeMap<>();
            for (Row row : source.subList(0, (int) position)) expected.put(row.id(), row.amount());
            if (!found.equals(expected)) wrong = "position " + position + ", and the table has " + found;
            if (position % batch != 0 && position != ROWS) wrong = "part of a batch: " + position + " of " + batch;
            if (isLast && position != ROWS) wrong = "not all rows: " + position;
            if (position > 0 && position < ROWS) halves++;
            pool.close();
        }
    }
}
