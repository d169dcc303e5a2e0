package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.Adversary;
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
 * The power of all nodes fails at verbs of the first growth of a table: while its first area is added, and while its
 * buckets are split. Every row that was reported is found once after the repair, the repair is persistent, and the
 * table goes on growing.
 */
class GrowthPowerTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;
    private static final int MORE = 6;

    private static final Logger LOG = Logger.getLogger("tidepool");

    /** A row so long that a bucket has two slots. */
    public record Visit(@Key long id, long who, @Length(400) byte[] text) {
        Visit(long id) {
            this(id, id * 3, new byte[400]);
        }
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford?flush=selective", "ford?flush=full"})
    void everyRowOutlivesALossOfPower(String protocol) {
        everyRow(protocol, PowerPointsTest.EVICTING, PowerPointsTest.KEEPING);
    }

    /** Of the writes that were not flushed each node has kept a prefix of its own length. */
    @ParameterizedTest
    @ValueSource(strings = {"ford?flush=selective", "ford?flush=full"})
    void everyRowOutlivesALossOfPowerWhereNodesKeepJournals(String protocol) {
        everyRow(protocol, PowerPointsTest.JOURNALS, PowerPointsTest.JOURNALS);
    }

    private static void everyRow(String protocol, Adversary even, Adversary odd) {
        int rows = new Scene(protocol, 1, even, 0).rowsUntilGrowth();
        int step = Effort.of(53, 23, 1);
        int small = 0;
        int split = 0;
        for (long verb = 0; ; verb += step) {
            Scene scene = new Scene(protocol, 1 + verb, verb % 2 == 0 ? even : odd, rows);
            if (!scene.run(verb, verb % 3 == 0 ? When.BEFORE : When.AFTER)) break;
            if (scene.chains > PARTITIONS * scene.layout.buckets()) split++;
            else small++;
        }
        assertTrue(small > 0 && split > 0, small + " as before, " + split + " with buckets that were split");
    }

    private static final class Scene {
        private final String protocol;
        private final Simulation simulation;
        private final SimFabric fabric;
        private final int loaded;
        private final List<Machine> machines = new ArrayList<>();
        private final TreeSet<Long> sure = new TreeSet<>();
        private boolean over;
        private long chains;
        private long image;
        private TableLayout layout;

        Scene(String protocol, long seed, Adversary adversary, int loaded) {
            this.protocol = protocol;
            this.loaded = loaded;
            simulation = new Simulation(seed);
            CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(50_000_000);
            fabric = new SimFabric(simulation, REPLICAS, costs, adversary);
        }

        /** Returns with how many rows the next transactions add an area and split buckets. */
        int rowsUntilGrowth() {
            try (simulation) {
                start("loader", () -> {
                    Tidepool pool = open();
                    Table<Visit> visits = pool.table("visits", Visit.class, 1);
                    TableLayout table = PoolAccess.layout(visits.handle());
                    while (!table.hasGrown()) insert(pool, visits, sure.size());
                    pool.close();
                });
                simulation.run();
                return sure.size() - 2;
            }
        }

        /** Returns false if the victim ended before its verb. */
        boolean run(long verb, When when) {
            try (simulation) {
                start("loader", () -> {
                    Tidepool pool = open();
                    Table<Visit> visits = pool.table("visits", Visit.class, 1);
                    for (int i = 0; i < loaded; i++) insert(pool, visits, i);
                    pool.close();
                });
                simulation.run();
                simulation.crashMachineOf("victim", verb, when);
                Machine dying = start("opener", this::die);
                start("watcher", () -> {
                    while (!dying.isDead() && !over) Waiting.pause(100);
                    Waiting.pause(1 + verb * 37 % 3_000); // verbs that were sent travel for a moment
                    cutPower("watcher");
                });
                simulation.run();
                if (over || !dying.isDead()) return false;
                start("last", () -> repaired(true));
                simulation.run();
                cutPower("");
                if (image != QuietPool.image(fabric, layout))
                    throw new ClusterFailure("what was repaired was not persistent");
                start("very last", () -> repaired(false));
                simulation.run();
                simulation.settle();
                QuietPool.check(fabric, layout);
                return true;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        protocol + " verb=" + verb + " " + when + CrashPlaces.of(simulation, "victim") + ": "
                                + e.getMessage(),
                        e);
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 2);
            if (!machines.contains(machine)) machines.add(machine);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open() {
            Protocol made = Protocols.named(protocol);
            PoolOptions options = new PoolOptions(made.name(), REPLICAS, PARTITIONS, 96 << 10, 4, 16 * 1024);
            return PoolAccess.open(fabric, options, made);
        }

        /** Does not return to a strand: its machine has no power either. */
        private void cutPower(String by) {
            Machine own = null;
            for (Machine machine : machines)
                if (machine.name().equals(by)) own = machine;
                else machine.crash();
            for (int node = 0; node < fabric.nodes(); node++) fabric.failPower(node);
            for (int node = 0; node < fabric.nodes(); node++) fabric.restartNode(node);
            if (own != null) own.crash();
        }

        private void die() {
            Tidepool pool = open();
            Table<Visit> visits = pool.table("visits", Visit.class, 1);
            pool.read(tx -> visits.get(tx, 0));
            simulation.start(simulation.machine("opener", 2), "victim", () -> {
                for (int i = 0; i < MORE; i++) insert(pool, visits, loaded + i);
                Waiting.pause(10_000); // background rounds end
                over = true;
            });
        }

        private void insert(Tidepool pool, Table<Visit> visits, long id) {
            pool.transact(tx -> visits.insert(tx, new Visit(id)));
            sure.add(id);
        }

        private void repaired(boolean first) {
            Tidepool pool = open();
            Table<Visit> visits = pool.table("visits", Visit.class, 1);
            layout = PoolAccess.layout(visits.handle());
            chains = PoolAccess.usage(pool, visits.handle(), Long.MAX_VALUE).chains();
            assertRows(pool, visits);
            if (first) image = QuietPool.image(fabric, layout);
            else {
                for (int i = 0; i < 12; i++) insert(pool, visits, 1000 + i);
                assertRows(pool, visits);
                assertTrue(layout.hasGrown(), "it goes on growing");
                PoolAccess.usage(pool, visits.handle(), Long.MAX_VALUE); // learns all areas
            }
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
