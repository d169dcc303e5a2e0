package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/**
 * A process dies at each verb while it adds an area to a table and splits its first buckets. Every row is found once,
 * whether the split is finished or undone, and the table goes on growing.
 */
class GrowthCrashTest {
    private static final int PARTITIONS = 1;
    private static final int REPLICAS = 2;
    private static final int MORE = 4;

    /** A row so long that a bucket has two slots. */
    public record Visit(@Key long id, long who, @Length(400) byte[] text) {
        Visit(long id) {
            this(id, id * 3, new byte[400]);
        }
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void everyRowIsFoundOnce(String protocol) {
        int rows = new Crash(protocol, 1, 0).rowsUntilGrowth();
        int finished = 0;
        int undone = 0;
        for (long verb = 0; ; verb++) {
            Crash crash = new Crash(protocol, 1 + verb, rows);
            if (!crash.run(verb)) break;
            if (crash.left > 1) finished++;
            else undone++;
        }
        assertTrue(finished > 0 && undone > 0, finished + " finished, " + undone + " undone");
    }

    private static final class Crash {
        private final String protocol;
        private final Simulation simulation;
        private final int loaded;
        private final TreeSet<Long> sure = new TreeSet<>();
        private boolean open;
        private boolean over;
        private long left;
        private TableLayout layout;

        Crash(String protocol, long seed, int loaded) {
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
            this.loaded = loaded;
        }

        /** Returns with how many rows the next transaction splits a bucket. */
        int rowsUntilGrowth() {
            try (simulation) {
                SimFabric fabric = fabric();
                start("loader", () -> {
                    Tidepool pool = open(fabric);
                    Table<Visit> visits = pool.table("visits", Visit.class, 1);
                    TableLayout table = PoolAccess.layout(visits.handle());
                    while (!table.hasGrown()) insert(pool, visits, sure.size());
                    pool.close();
                });
                simulation.run();
                return sure.size() - 2;
            }
        }

        private SimFabric fabric() {
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
            return new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
        }

        /** Dies after a verb. Returns false if the victim ended before that verb. */
        boolean run(long verb) {
            try (simulation) {
                SimFabric fabric = fabric();
                start("loader", () -> {
                    Tidepool pool = open(fabric);
                    Table<Visit> visits = pool.table("visits", Visit.class, 1);
                    for (int i = 0; i < loaded; i++) insert(pool, visits, i);
                    pool.close();
                });
                simulation.run();
                simulation.crashMachineOf("victim", verb, When.AFTER);
                Machine dying = start("opener", () -> die(fabric));
                start("watcher", () -> {
                    Tidepool pool = open(fabric);
                    open = true;
                    while (!dying.isDead() && !over) Waiting.pause(1_000);
                    finish(fabric, pool);
                });
                simulation.run();
                simulation.settle();
                new PoolCheck(fabric, layout, false).check();
                return dying.isDead();
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open(SimFabric fabric) {
            var made = Protocols.named(protocol);
            return PoolAccess.open(
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, 2 << 20, 4, 64 * 1024), made);
        }

        private void insert(Tidepool pool, Table<Visit> visits, long id) {
            pool.transact(tx -> visits.insert(tx, new Visit(id)));
            sure.add(id);
        }

        private void die(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Visit> visits = pool.table("visits", Visit.class, 1);
            pool.read(tx -> visits.get(tx, 0));
            while (!open) Waiting.pause(1_000);
            simulation.start(simulation.machine("opener", 1), "victim", () -> {
                for (int i = 0; i < MORE; i++) insert(pool, visits, loaded + i);
            });
            while (simulation.strand("victim") == null
                    || !simulation.strand("victim").isDone()) Waiting.pause(5_000);
            pool.close();
            over = true;
        }

        private void finish(SimFabric fabric, Tidepool pool) {
            for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
                pool.recoverAll();
                Waiting.pause(5_000);
                if (tries > 1_000) throw new ClusterFailure("sessions are left that nobody recovers");
            }
            Table<Visit> visits = pool.table("visits", Visit.class, 1);
            layout = PoolAccess.layout(visits.handle());
            left = PoolAccess.usage(pool, visits.handle(), Long.MAX_VALUE).chains();
            assertRows(pool, visits);
            for (int i = 0; i < 20; i++) insert(pool, visits, 1000 + i);
            assertRows(pool, visits);
            PoolAccess.usage(pool, visits.handle(), Long.MAX_VALUE); // learns all areas
            pool.close();
        }

        /** What was reported is there; what was not may be there; nothing is there twice. */
        private void assertRows(Tidepool pool, Table<Visit> visits) {
            TreeSet<Long> seen = new TreeSet<>();
            visits.forEach(row -> {
                assertEquals(row.id() * 3, row.who());
                assertTrue(seen.add(row.id()), row.id() + " is there twice");
            });
            for (long id : sure) {
                assertTrue(seen.contains(id), id + " is lost");
                assertNotNull(pool.read(tx -> visits.get(tx, id)), id + " is not found");
            }
            for (long id : seen)
                assertTrue(sure.contains(id) || id >= loaded && id < loaded + MORE, id + " was never inserted");
        }
    }
}
