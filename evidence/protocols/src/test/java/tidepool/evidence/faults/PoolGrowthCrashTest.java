package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/**
 * A process dies at each verb of the growth of a pool, next to a process that writes. Afterwards the pool has the old
 * size or the new one; what was committed is there, in all copies; every region belongs to the pool; and the pool grows
 * when it is told to again.
 */
class PoolGrowthCrashTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;
    private static final int KEYS = 12;
    private static final long SMALL = 64 * 1024;
    private static final long LARGE = 192 * 1024;

    /** Room for rows that the smaller pool does not have. */
    private static final long MANY = 300;

    public record Row(@Key long id, long value, long same) {
        static Row of(long id, long value) {
            return new Row(id, value, ~value);
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
    void poolHasOneSizeAndAllRows(String protocol) {
        int step = protocol.equals("ford") ? Effort.of(3, 1, 1) : Effort.of(11, 5, 1);
        int small = 0;
        int large = 0;
        for (long verb = 0; ; verb += step) {
            Scene scene = new Scene(protocol, 1 + verb);
            if (!scene.run(verb)) break;
            if (scene.grown) large++;
            else small++;
        }
        assertTrue(small > 0 && large > 0, small + " had not grown, " + large + " had");
    }

    private static final class Scene {
        private final String protocol;
        private final Simulation simulation;
        private final long seed;
        private final List<TableLayout> checks = new ArrayList<>();
        private SimFabric fabric;
        private boolean grown;
        private boolean begun;
        private boolean over;
        private long added;

        Scene(String protocol, long seed) {
            this.protocol = protocol;
            this.seed = seed;
            this.simulation = new Simulation(seed);
        }

        /** Dies after a verb. Returns false if the victim ended before that verb. */
        boolean run(long verb) {
            try (simulation) {
                CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
                fabric = new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
                start("loader", this::load);
                simulation.run();
                simulation.crashMachineOf("victim", verb, seed % 2 == 0 ? When.AFTER : When.BEFORE);
                Machine dying = start("opener", this::die);
                start("writer", () -> {
                    write();
                    while (!dying.isDead() && !over) Waiting.pause(1_000);
                    finish();
                });
                simulation.run();
                simulation.settle();
                for (TableLayout table : checks) new PoolCheck(fabric, table, false).checkObjects();
                return dying.isDead();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        protocol + " verb=" + verb + CrashPlaces.of(simulation, "victim") + ": " + e.getMessage(), e);
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open() {
            var made = Protocols.named(protocol);
            return PoolAccess.open(
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, SMALL, 4, 16 * 1024), made);
        }

        private void load() {
            Tidepool pool = open();
            Table<Row> table = pool.table("table", Row.class, 20);
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) table.put(tx, Row.of(key, 0));
            });
            pool.close();
        }

        private void die() {
            Tidepool pool = open();
            while (!begun) Waiting.pause(1_000);
            simulation.start(simulation.machine("opener", 1), "victim", () -> pool.grow(LARGE));
            while (simulation.strand("victim") == null
                    || !simulation.strand("victim").isDone()) Waiting.pause(5_000);
            pool.close();
            over = true;
        }

        /** Writes while the pool grows, with a session from before. */
        private void write() {
            Tidepool pool = open();
            Table<Row> table = pool.table("table", Row.class, 20);
            begun = true;
            for (long i = 0; i < 60; i++) {
                long key = i % KEYS;
                pool.transact(tx -> {
                    Cell<Row> cell = table.update(tx, key);
                    cell.set(Row.of(key, cell.get().value() + 1));
                });
                added++;
            }
            pool.close();
        }

        private void finish() {
            Tidepool pool = open();
            for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
                pool.recoverAll();
                Waiting.pause(5_000);
                if (tries > 1_000) throw new ClusterFailure("sessions are left and not recovered");
            }
            long memory = PoolAccess.memory(pool);
            grown = memory == LARGE;
            assertEquals(grown ? LARGE : SMALL, memory);
            checkRows(pool);
            PoolRegionsCheck.check(fabric, null, memory);

            pool.grow(LARGE);
            checkRows(pool);
            PoolRegionsCheck.check(fabric, null, LARGE);
            Table<Row> more = pool.table("more", Row.class, MANY);
            for (long key = 0; key < MANY; key += 7) {
                Row row = Row.of(key, 3);
                assertNull(pool.read(tx -> more.get(tx, row.id())));
                pool.transact(tx -> more.put(tx, row));
            }
            checkRows(pool);
            for (String name : List.of("table", "more")) checks.add(PoolAccess.layout(pool.table(name)));
            pool.close();
        }

        private void checkRows(Tidepool pool) {
            Table<Row> table = pool.table("table", Row.class, 20);
            long sum = 0;
            for (long key = 0; key < KEYS; key++) {
                long id = key;
                Row row = pool.read(tx -> table.get(tx, id));
                assertEquals(~row.value(), row.same(), "a mixed row");
                sum += row.value();
            }
            assertEquals(added, sum);
        }
    }
}
