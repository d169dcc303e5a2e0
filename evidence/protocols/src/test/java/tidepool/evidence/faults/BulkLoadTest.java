package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.ConflictException;
import tidepool.Duplicates;
import tidepool.Table;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
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
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * Loads on a simulated machine that dies at any verb, next to a writer, and are resumed, up to three times. After each
 * death the table has the rows of whole batches, the first ones, as many as the position of the load says. A resumed
 * load refuses keys that exist, so it also fails if it begins too early. Of rows with long contents, every part belongs
 * to one row in the end, also where the load replaces rows.
 */
class BulkLoadTest {
    private static final int ROWS = 60;
    private static final long FIRST_OTHER = 1_000;
    private static final long OLD = -1; // the amount of rows that are replaced
    private static final String LOAD = "load";

    /** A row of the load, or one of the writer. */
    public record Row(@Key long id, long amount) {}

    /** A row with a text that often lies in parts. */
    public record Note(@Key long id, long amount, String text) {
        private static final int[] LENGTHS = {10, 92, 93, 600, 1_900, 3_700};

        static Note of(long id, long amount) {
            int length = LENGTHS[Math.floorMod(id + amount, LENGTHS.length)];
            return new Note(id, amount, (id + "." + amount + " ").repeat(length).substring(0, length));
        }
    }

    /**
     * The rows of a run.
     *
     * @param replaces whether all keys exist before, and the load replaces their rows
     * @param log the bytes of a log area
     * @param verbs the maximum number of verbs before a loader dies
     */
    private record Kind<R extends Record>(
            Class<R> type,
            BiFunction<Long, Long, R> maker,
            ToLongFunction<R> id,
            boolean replaces,
            int log,
            int verbs) {
        static final Kind<Row> PLAIN = new Kind<>(Row.class, Row::new, Row::id, false, 16 * 1024, 300);

        static Kind<Note> ofNotes(boolean replaces) {
            return new Kind<>(Note.class, Note::of, Note::id, replaces, 64 * 1024, 3_000);
        }

        R row(long rowId, long amount) {
            return maker.apply(rowId, amount);
        }
    }

    /** The position of a sloppy loader. */
    public record Position(@Key @Length(8) String name, long rows) {}

    /** A way to load rows after those that are in the table. */
    private interface Loading {
        <R extends Record> void load(Tidepool pool, Table<R> rows, List<R> source, int batch);

        /** Returns how many rows are in the table, as the position of the load says. */
        long position(Tidepool pool);
    }

    /** The loader of the product. */
    private record Right(Duplicates duplicates) implements Loading {
        @Override
        public <R extends Record> void load(Tidepool pool, Table<R> rows, List<R> source, int batch) {
            try (TableLoader<R> loader =
                    rows.loader().batch(batch).onDuplicate(duplicates).resume(LOAD)) {
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
            <R extends Record> void commit(Tidepool pool, Table<R> rows, List<R> batch, long before) {
                advance(pool, before + batch.size());
                pool.transact(tx -> batch.forEach(row -> rows.insert(tx, row)));
            }
        },

        /** The position is written in a transaction of its own, after the rows. */
        POSITION_AFTER_ROWS {
            @Override
            <R extends Record> void commit(Tidepool pool, Table<R> rows, List<R> batch, long before) {
                pool.transact(tx -> batch.forEach(row -> rows.insert(tx, row)));
                advance(pool, before + batch.size());
            }
        },

        /** The last row of a batch travels with the position, and the others each alone. */
        ROWS_ALONE {
            @Override
            <R extends Record> void commit(Tidepool pool, Table<R> rows, List<R> batch, long before) {
                for (R row : batch.subList(0, batch.size() - 1)) pool.transact(tx -> rows.insert(tx, row));
                pool.transact(tx -> {
                    rows.insert(tx, batch.getLast());
                    positions(pool).put(tx, new Position(LOAD, before + batch.size()));
                });
            }
        };

        abstract <R extends Record> void commit(Tidepool pool, Table<R> rows, List<R> batch, long before);

        @Override
        public <R extends Record> void load(Tidepool pool, Table<R> rows, List<R> source, int batch) {
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
            halves[0] += halves(new Run<>(seed, Protocols.named(protocol), new Right(Duplicates.REFUSE), Kind.PLAIN));
        });
        assertTrue(halves[0] > 0, "no loader died between two batches");
    }

    /** Parts are written by the transaction of their batch, and deleted by that which replaces their row. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aDeadLoaderLeavesNoPartWithoutItsRow(String protocol) {
        int[] halves = new int[1];
        Effort.seeds(2, 6, 500).forEach(seed -> {
            boolean replaces = seed % 2 == 0;
            Right right = new Right(replaces ? Duplicates.REPLACE : Duplicates.REFUSE);
            halves[0] += halves(new Run<>(seed, Protocols.named(protocol), right, Kind.ofNotes(replaces)));
        });
        assertTrue(halves[0] > 0, "no loader of notes died between two batches");
    }

    private static int halves(Run<?> run) {
        run.play();
        assertTrue(run.wrong == null, run.wrong + " seed=" + run.seed);
        return run.halves;
    }

    @ParameterizedTest
    @EnumSource
    void aSloppyLoaderIsFound(SloppyLoader loader) {
        for (long seed = 1; seed <= 400; seed++) {
            Run<Row> run = new Run<>(seed, Protocols.named("ford"), loader, Kind.PLAIN);
            try {
                run.play();
            } catch (AssertionError | RuntimeException e) {
                return;
            }
            if (run.wrong != null) return;
        }
        throw new AssertionError("400 seeds have not found " + loader);
    }

    private static final class Run<R extends Record> {
        private final long seed;
        private final Protocol protocol;
        private final Loading loading;
        private final Kind<R> kind;
        private final Simulation simulation;
        private final Randomness random;
        private final List<R> source = new ArrayList<>();
        private final int batch;
        private List<TableLayout> tables;
        private String wrong;
        private int halves;

        Run(long seed, Protocol protocol, Loading loading, Kind<R> kind) {
            this.seed = seed;
            this.protocol = protocol;
            this.loading = loading;
            this.kind = kind;
            this.simulation = new Simulation(seed);
            this.random = new Randomness(seed);
            this.batch = 2 + random.nextInt(12);
            for (int i = 0; i < ROWS; i++) source.add(kind.row((i * 37L + seed) % ROWS, i));
        }

        void play() {
            try (simulation) {
                CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
                SimFabric fabric = new SimFabric(simulation, 2, costs, ClusterOptions.DEATHS);
                start("setup", () -> setUp(fabric));
                simulation.run();
                for (int i = 0; i < 4 && wrong == null; i++) {
                    String loader = "loader" + i;
                    if (i < 3) simulation.crashMachineOf(loader, random.nextInt(kind.verbs()), When.AFTER);
                    start(loader, () -> load(fabric));
                    String writer = "writer" + i;
                    start(writer, () -> write(fabric));
                    simulation.run();
                    boolean isLast = i == 3;
                    start("judge" + i, () -> judge(fabric, isLast));
                    simulation.run();
                }
                if (wrong == null) audit(fabric);
                simulation.settle();
            }
        }

        /** Checks all copies and all parts, once the dead are recovered. */
        private void audit(SimFabric fabric) {
            start("recoverer", () -> recover(fabric));
            simulation.run();
            RowAudit audit = new RowAudit();
            for (TableLayout each : tables) {
                PoolCheck check = new PoolCheck(fabric, each, false);
                check.check();
                if (RowAudit.covers(each)) check.audit(audit);
            }
            if (!audit.problems().isEmpty()) wrong = audit.problems().toString();
            if (tables.size() > 1 && audit.parts() == 0) wrong = "no part was audited";
        }

        private void recover(SimFabric fabric) {
            Tidepool pool = open(fabric);
            tables = PoolAccess.layoutsWithParts(pool, table(pool).handle());
            for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
                pool.recoverAll();
                Waiting.pause(5_000);
                if (tries > 1_000) throw new ClusterFailure("sessions are left that nobody recovers");
            }
            pool.close();
        }

        private void start(String name, Runnable body) {
            simulation.start(simulation.machine(name, 1), name, body);
        }

        private Tidepool open(SimFabric fabric) {
            return PoolAccess.open(fabric, new PoolOptions(protocol.name(), 2, 2, 4 << 20, 8, kind.log()), protocol);
        }

        private Table<R> table(Tidepool pool) {
            return pool.table("rows", kind.type(), 2L * ROWS);
        }

        private void setUp(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<R> rows = table(pool);
            if (kind.replaces())
                for (long id = 0; id < ROWS; id++) {
                    R old = kind.row(id, OLD);
                    pool.transact(tx -> rows.insert(tx, old));
                }
            pool.close();
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric);
            loading.load(pool, table(pool), source, batch);
            pool.close();
        }

        private void write(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<R> rows = table(pool);
            Randomness own = new Randomness(seed + 1);
            for (int i = 0; i < 20; i++) {
                long id = FIRST_OTHER + own.nextInt(10);
                try {
                    pool.transact(tx -> {
                        if (rows.exists(tx, id)) rows.delete(tx, id);
                        else rows.insert(tx, kind.row(id, 0));
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
            Map<Long, R> found = new TreeMap<>();
            table(pool).forEach(row -> {
                long id = kind.id().applyAsLong(row);
                if (id < FIRST_OTHER) found.put(id, row);
            });
            long position = loading.position(pool);
            Map<Long, R> expected = new TreeMap<>();
            if (kind.replaces()) for (long id = 0; id < ROWS; id++) expected.put(id, kind.row(id, OLD));
            for (R row : source.subList(0, (int) position))
                expected.put(kind.id().applyAsLong(row), row);
            if (!found.equals(expected)) wrong = "position " + position + ", and the table has " + found;
            if (position % batch != 0 && position != ROWS) wrong = "part of a batch: " + position + " of " + batch;
            if (isLast && position != ROWS) wrong = "not all rows: " + position;
            if (position > 0 && position < ROWS) halves++;
            pool.close();
        }
    }
}
