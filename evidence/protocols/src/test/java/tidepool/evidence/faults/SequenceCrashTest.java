package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Sequence;
import tidepool.StripedCounter;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/**
 * A process dies at each verb while it draws numbers of a sequence and adds to a counter. No number comes twice, and
 * the counter has every addition whose transaction happened, and no other one.
 */
class SequenceCrashTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;

    /** A row that is written in the transaction of an addition. */
    public record Visit(@Key long id, long who) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void nothingComesTwiceAndNothingIsLost(String protocol) {
        int finished = 0;
        int undone = 0;
        for (long verb = 0; ; verb++) {
            Crash crash = new Crash(protocol, 1 + verb);
            if (!crash.run(verb)) break;
            if (crash.happened) finished++;
            else undone++;
        }
        assertTrue(finished > 0 && undone > 0, finished + " happened, " + undone + " did not");
    }

    private static final class Crash {
        private final String protocol;
        private final Simulation simulation;
        private final Set<Long> numbers = new HashSet<>();
        private boolean open;
        private boolean over;
        private boolean happened;

        Crash(String protocol, long seed) {
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
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
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, 2 << 20, 4, 8 * 1024), made);
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric);
            pool.table("visits", Visit.class, 4);
            draw(pool.sequence("ids", 2), 3);
            StripedCounter counter = pool.counter("visits");
            pool.transact(tx -> counter.add(tx, 1));
            pool.close();
        }

        private void draw(Sequence sequence, int count) {
            for (int i = 0; i < count; i++) {
                long number = sequence.next();
                assertTrue(numbers.add(number), number + " came twice");
            }
        }

        private void die(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Visit> visits = pool.table("visits", Visit.class, 4);
            Sequence ids = pool.sequence("ids", 2);
            StripedCounter counter = pool.counter("visits");
            pool.read(tx -> visits.get(tx, 0));
            while (!open) Waiting.pause(1_000);
            simulation.start(simulation.machine("opener", 1), "victim", () -> {
                draw(ids, 3);
                pool.transact(tx -> {
                    counter.add(tx, 1);
                    visits.insert(tx, new Visit(1, 1));
                });
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
            Table<Visit> visits = pool.table("visits", Visit.class, 4);
            StripedCounter counter = pool.counter("visits");
            draw(pool.sequence("ids", 2), 5);
            happened = pool.read(tx -> visits.get(tx, 1)) != null;
            assertEquals(happened ? 2 : 1, counter.sum());
            pool.transact(tx -> counter.add(tx, 1)); // nothing is locked
            assertEquals(happened ? 3 : 2, counter.sum());
            pool.close();
        }
    }
}
