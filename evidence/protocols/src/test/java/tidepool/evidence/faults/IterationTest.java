package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Cell;
import tidepool.ConflictException;
import tidepool.RowPages;
import tidepool.SnapshotLostException;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterOptions;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.testkit.Effort;

/**
 * Iterations on a simulated machine, while two others move money and tokens, insert and delete, and one of them dies.
 * Accounts stay, so every iteration has each of them once. Exactly one token exists at any moment, and the sum of all
 * accounts never changes: a page that has the whole table has both, and so has an iteration of one snapshot.
 */
class IterationTest {
    private static final int PARTITIONS = 2;
    private static final int ACCOUNTS = 20;
    private static final int TOKENS = 8;
    private static final long FIRST_TOKEN = 100;
    private static final long FIRST_PASSING = 200;

    /** An account, a token, or a row that comes and goes. */
    public record Row(@Key long id, long amount) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        // Two processes write, so FORD-LV has its versions at a node.
        return AnyKeyTest.protocols().stream()
                .map(each -> each.startsWith("ford-lv") ? "ford-lv?vcache=global" : each)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void pagesAreWholeNextToWritersThatDie(String protocol) {
        long[] wholes = new long[1];
        Effort.seeds(6, 25, 1_000).forEach(seed -> {
            Run run = new Run(seed, () -> Protocols.named(protocol));
            run.play();
            assertTrue(run.wrong == null, run.wrong + " seed=" + seed);
            wholes[0] += run.wholes;
        });
        assertTrue(wholes[0] > 0, "no iteration saw the whole table at one moment");
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedBugIsFound(PageBug bug) {
        for (long seed = 1; seed <= 400; seed++) {
            Run run = new Run(seed, bug);
            try {
                run.play();
            } catch (AssertionError | RuntimeException e) {
                return;
            }
            if (run.wrong != null) return;
        }
        throw new AssertionError("400 seeds have not found " + bug);
    }

    private static final class Run {
        private final long seed;
        private final Supplier<Protocol> protocol;
        private final Simulation simulation;
        private String wrong;
        private int wholes;

        Run(long seed, Supplier<Protocol> protocol) {
            this.seed = seed;
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
        }

        void play() {
            try (simulation) {
                CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
                SimFabric fabric = new SimFabric(simulation, 2, costs, ClusterOptions.DEATHS);
                start("loader", () -> load(fabric));
                simulation.run();
                if (seed % 2 == 0) simulation.crashMachineOf("w1.0", new Randomness(seed).nextInt(300), When.AFTER);
                for (int i = 0; i < 2; i++) {
                    String name = "w" + i;
                    start(name, () -> write(fabric, name));
                }
                start("reader", () -> iterate(fabric));
                simulation.run();
                simulation.settle();
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open(SimFabric fabric) {
            Protocol made = protocol.get();
            return PoolAccess.open(fabric, new PoolOptions(made.name(), 2, PARTITIONS, 2 << 20, 8, 16 * 1024), made);
        }

        private static Table<Row> table(Tidepool pool) {
            return pool.table("rows", Row.class, 2L * ACCOUNTS);
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Row> rows = table(pool);
            for (long id = 0; id < ACCOUNTS; id++) {
                Row account = new Row(id, 100);
                pool.transact(tx -> rows.insert(tx, account));
            }
            pool.transact(tx -> rows.insert(tx, new Row(FIRST_TOKEN, 0)));
            pool.close();
        }

        private void write(SimFabric fabric, String name) {
            Tidepool pool = open(fabric);
            Table<Row> rows = table(pool);
            for (int strand = 0; strand < 2; strand++) {
                Randomness random = new Randomness(seed * 31 + name.hashCode() + strand);
                simulation.start(simulation.machine(name, 1), name + "." + strand, () -> {
                    for (int i = 0; i < 25; i++) {
                        try {
                            step(pool, rows, random);
                        } catch (ConflictException e) {
                            // A writer may lose against others: here only iterations are judged.
                        }
                        Waiting.pause(1 + random.nextInt(20_000));
                    }
                });
            }
        }

        private static void step(Tidepool pool, Table<Row> rows, Randomness random) {
            int kind = random.nextInt(3);
            long a = random.nextInt(ACCOUNTS);
            long b = (a + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            long passing = FIRST_PASSING + random.nextInt(20);
            pool.transact(tx -> {
                if (kind == 0) {
                    Cell<Row> from = rows.update(tx, a), to = rows.update(tx, b);
                    from.set(new Row(a, from.get().amount() - 1));
                    to.set(new Row(b, to.get().amount() + 1));
                } else if (kind == 1) {
                    for (long token = FIRST_TOKEN; token < FIRST_TOKEN + TOKENS; token++) {
                        if (!rows.exists(tx, token)) continue;
                        rows.delete(tx, token);
                        rows.insert(tx, new Row(FIRST_TOKEN + (token + 1 + a) % TOKENS, 0));
                        break;
                    }
                } else if (rows.exists(tx, passing)) {
                    rows.delete(tx, passing);
                } else {
                    rows.insert(tx, new Row(passing, 0));
                }
            });
        }

        private void iterate(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Row> rows = table(pool);
            Randomness random = new Randomness(seed);
            for (int i = 0; i < 12 && wrong == null; i++) {
                RowPages<Row> pages = rows.pages(i % 2 == 0 ? 10_000 : 1 + random.nextInt(8));
                if (i % 4 >= 2) pages.perPage();
                try {
                    judge(pages);
                } catch (SnapshotLostException | ConflictException e) {
                    // Others have changed too much.
                }
                Waiting.pause(1 + random.nextInt(30_000));
            }
            pool.close();
        }

        private void judge(RowPages<Row> pages) {
            Set<Long> seen = new HashSet<>();
            long sum = 0;
            int tokens = 0;
            int count = 0;
            for (; pages.next(); count++) {
                for (Row row : pages.rows()) {
                    if (!seen.add(row.id())) wrong = "twice: " + row;
                    if (row.id() < ACCOUNTS) sum += row.amount();
                    else if (row.id() < FIRST_PASSING) tokens++;
                }
            }
            for (long id = 0; id < ACCOUNTS; id++) if (!seen.contains(id)) wrong = "missing: " + id;
            if (count > 1 && !pages.isSnapshot()) return;
            if (sum != ACCOUNTS * 100) wrong = "sum " + sum;
            if (tokens != 1) wrong = "tokens " + tokens;
            wholes++;
        }
    }
}
