package tidepool.evidence.large;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.LogsInHeap;
import tidepool.evidence.faults.QuietPool;
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
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/**
 * A machine dies at some verb of a transaction that locks more objects than an area has intents, and whose logs lie in
 * the log heap. All of it is left or nothing, nothing is locked, and no block keeps an owner.
 */
class LargeCrashTest {
    private static final int ROWS = 300;
    private static final int REPLICAS = 2;

    /** A row that the victim changes. */
    public record Part(@Key long id, long value) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void allOrNothing(String name) {
        int happened = 0;
        int undone = 0;
        for (long verb = 0; ; verb += Effort.of(397, 97, 7)) {
            Scene scene = new Scene(1 + verb, () -> new LogsInHeap(Protocols.named(name)));
            if (!scene.run(verb)) break;
            if (scene.happened) happened++;
            else undone++;
        }
        System.out.println(name + ": " + happened + " happened, " + undone + " did not");
        assertTrue(happened > 0 && undone > 0, happened + " happened, " + undone + " did not");
    }

    /** Otherwise the scenes above would prove nothing. */
    @ParameterizedTest
    @EnumSource
    void plantedBugsAreCaught(HeapBug bug) {
        for (long verb = 0; ; verb += 29) {
            Scene scene = new Scene(1 + verb, () -> new LogsInHeap(bug.ford()));
            try {
                assertTrue(scene.run(verb), "nothing was wrong with " + bug);
            } catch (RuntimeException | AssertionError e) {
                if (e.getMessage() != null && e.getMessage().startsWith("nothing was wrong")) throw e;
                System.out.println(bug + ", verb " + verb + ": " + e.getMessage());
                return;
            }
        }
    }

    private static final class Scene {
        private final Simulation simulation;
        private final Supplier<Protocol> protocol;
        private TableLayout table;
        private boolean open;
        private boolean over;
        boolean happened;

        Scene(long seed, Supplier<Protocol> protocol) {
            this.simulation = new Simulation(seed);
            this.protocol = protocol;
        }

        /** Dies after a verb. Returns false if the victim ended before that verb. */
        boolean run(long verb) {
            try (simulation) {
                CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
                SimFabric fabric = new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
                start("loader", () -> load(fabric));
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
                QuietPool.check(fabric, table);
                return dying.isDead();
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open(SimFabric fabric) {
            Protocol made = protocol.get();
            PoolOptions options = new PoolOptions(
                    made.name(), REPLICAS, 2, 1 << 20, 4, LogsInHeap.slotBytes(made, 4 * 1024), 1 << 20);
            return PoolAccess.open(fabric, options, made);
        }

        private static Table<Part> parts(Tidepool pool) {
            return pool.table("parts", Part.class, 2 * ROWS);
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Part> parts = parts(pool);
            table = PoolAccess.layout(parts.handle());
            for (int first = 0; first < ROWS; first += 50) {
                int from = first;
                pool.transact(tx -> {
                    for (long id = from; id < from + 50; id++) parts.insert(tx, new Part(id, 1));
                });
            }
            pool.close();
        }

        private void die(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Part> parts = parts(pool);
            pool.read(tx -> parts.get(tx, 0));
            while (!open) Waiting.pause(1_000);
            simulation.start(
                    simulation.machine("opener", 1),
                    "victim",
                    () -> pool.transact(tx -> {
                        for (long id = 0; id < ROWS; id++) parts.put(tx, new Part(id, 2));
                    }));
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
            Table<Part> parts = parts(pool);
            long sum = 0;
            for (long id = 0; id < ROWS; id++) {
                long one = id;
                sum += pool.read(tx -> parts.get(tx, one)).value();
            }
            if (sum != ROWS && sum != 2 * ROWS) throw new ClusterFailure("a part of it is left: sum " + sum);
            happened = sum == 2 * ROWS;
            pool.close();
        }
    }
}
