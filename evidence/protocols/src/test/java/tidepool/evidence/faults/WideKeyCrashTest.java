package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
 * A transaction on rows with wide keys, two of which have one hash, dies at each of its verbs. After its recovery
 * all of its changes have happened or none, each key has its own value, and the copies are equal.
 */
class WideKeyCrashTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;

    /** A key of two words, of which tests can make two with one hash. */
    public record Pair(@Key long left, @Key long right, long value) {}

    /** A key of one string. */
    public record Named(@Key @Length(30) String name, long value) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void everyKeyOutlastsACrash(String protocol) {
        int finished = 0;
        int undone = 0;
        for (long verb = 0; ; verb++) {
            Boolean happened = new Crash(protocol, 1 + verb).run(verb);
            if (happened == null) break;
            if (happened) finished++;
            else undone++;
        }
        assertTrue(finished > 0 && undone > 0, finished + " happened, " + undone + " did not");
    }

    private static final class Crash {
        private static final Pair UPDATED = new Pair(1, 2, 1);
        private static final Pair DELETED = new Pair(5, CollidingKeys.right(1, 2, 5), 1);
        private static final Pair INSERTED = new Pair(9, CollidingKeys.right(1, 2, 9), 2);

        private final String protocol;
        private final Simulation simulation;
        private TableLayout pairs;
        private TableLayout names;
        private boolean open;
        private boolean over;
        private Boolean happened;

        Crash(String protocol, long seed) {
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
        }

        /** Dies after a verb. Returns whether the transaction happened; null if it ended before that verb. */
        Boolean run(long verb) {
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
                if (!dying.isDead()) return null;
                QuietPool.check(fabric, pairs);
                QuietPool.check(fabric, names);
                return happened;
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
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, 256 * 1024, 4, 8 * 1024), made);
        }

        private static Table<Pair> pairs(Tidepool pool) {
            return pool.table("pairs", Pair.class, 2);
        }

        private static Table<Named> names(Tidepool pool) {
            return pool.table("names", Named.class, 4);
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Pair> table = pairs(pool);
            Table<Named> named = names(pool);
            pairs = PoolAccess.layout(table.handle());
            names = PoolAccess.layout(named.handle());
            pool.transact(tx -> {
                table.insert(tx, UPDATED);
                table.insert(tx, DELETED);
                named.insert(tx, new Named("alice", 1));
            });
            pool.close();
        }

        private void die(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Pair> table = pairs(pool);
            Table<Named> named = names(pool);
            pool.read(tx -> table.get(tx, 0, 0));
            while (!open) Waiting.pause(1_000);
            simulation.start(
                    simulation.machine("opener", 1),
                    "victim",
                    () -> pool.transact(tx -> {
                        Cell<Pair> row = table.update(tx, UPDATED.left, UPDATED.right);
                        Cell<Named> alice = named.update(tx, "alice");
                        table.delete(tx, DELETED.left, DELETED.right);
                        table.insert(tx, INSERTED);
                        row.set(new Pair(UPDATED.left, UPDATED.right, 2));
                        alice.set(new Named("alice", 2));
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
            Table<Pair> table = pairs(pool);
            Table<Named> named = names(pool);
            pool.transact(tx -> {
                Pair updated = table.get(tx, UPDATED.left, UPDATED.right);
                happened = updated.value() == 2;
                assertEquals(happened ? 2 : 1, named.get(tx, "alice").value());
                assertEquals(happened, table.get(tx, DELETED.left, DELETED.right) == null);
                assertEquals(happened ? INSERTED : null, table.get(tx, INSERTED.left, INSERTED.right));
                table.put(tx, new Pair(UPDATED.left, UPDATED.right, 3)); // nothing is locked
                table.put(tx, new Pair(DELETED.left, DELETED.right, 3));
                table.put(tx, new Pair(INSERTED.left, INSERTED.right, 3));
                named.put(tx, new Named("alice", 3));
            });
            pool.close();
        }
    }
}
