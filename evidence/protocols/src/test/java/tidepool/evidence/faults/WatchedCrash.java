package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.protocol.Protocols;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/**
 * A process dies after one verb of what it does to a table. Another process looks at the table all the time, and after
 * the recovery. Then all copies are audited.
 *
 * @param <T> a table as one process has it
 */
abstract class WatchedCrash<T> {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;

    private final String protocol;
    private final long memory;
    private final Simulation simulation;
    private List<TableLayout> tables;
    private boolean isWatching;
    private boolean isOver;

    /**
     * @param memory the bytes of each copy of a partition; 1/32 of them are for each log
     * @param seed that of the simulation
     */
    WatchedCrash(String protocol, long memory, long seed) {
        this.protocol = protocol;
        this.memory = memory;
        this.simulation = new Simulation(seed);
    }

    /** Opens the table, and makes it if it is not there. */
    abstract T table(Tidepool pool);

    abstract TableHandle handle(T table);

    /** Writes the rows that are there before. */
    abstract void load(Tidepool pool, T table);

    /** Called in the process that dies, before it counts its verbs. */
    void prepare(Tidepool pool, T table) {}

    /** What the process does that dies. */
    abstract void change(Tidepool pool, T table);

    /** Looks at the table, next to the change and after it. */
    abstract void look(Tidepool pool, T table);

    /** Called after the recovery and a last look: nothing is locked, and everything can be changed. */
    abstract void end(Tidepool pool, T table);

    /** Dies after a verb, and returns what the copies have; null if the victim ended before that verb. */
    RowAudit run(long verb) {
        try (simulation) {
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
            SimFabric fabric = new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
            start("loader", () -> {
                Tidepool pool = open(fabric);
                load(pool, table(pool));
                pool.close();
            });
            simulation.run();
            simulation.crashMachineOf("victim", verb, When.AFTER);
            Machine dying = start("opener", () -> die(fabric));
            start("watcher", () -> watch(fabric, dying));
            simulation.run();
            simulation.settle();
            if (!dying.isDead()) return null;
            RowAudit audit = new RowAudit();
            for (TableLayout each : tables) {
                PoolCheck check = new PoolCheck(fabric, each, false);
                check.check();
                check.audit(audit);
            }
            assertEquals(List.of(), audit.problems());
            return audit;
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

    private Tidepool open(SimFabric fabric) {
        var made = Protocols.named(protocol);
        return PoolAccess.open(
                fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, memory, 4, (int) (memory / 32)), made);
    }

    /** Makes the change on a strand of its own, so that its verbs are counted alone. */
    private void die(SimFabric fabric) {
        Tidepool pool = open(fabric);
        T table = table(pool);
        prepare(pool, table);
        while (!isWatching) Waiting.pause(1_000);
        simulation.start(simulation.machine("opener", 1), "victim", () -> change(pool, table));
        while (simulation.strand("victim") == null
                || !simulation.strand("victim").isDone()) Waiting.pause(5_000);
        pool.close();
        isOver = true;
    }

    private void watch(SimFabric fabric, Machine dying) {
        Tidepool pool = open(fabric);
        T table = table(pool);
        isWatching = true;
        while (!dying.isDead() && !isOver) look(pool, table);
        for (int i = 0; i < 3; i++) look(pool, table);
        for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
            pool.recoverAll();
            Waiting.pause(5_000);
            if (tries > 1_000) throw new ClusterFailure("sessions are left that nobody recovers");
        }
        look(pool, table);
        end(pool, table);
        tables = PoolAccess.layoutsWithParts(pool, handle(table));
        pool.close();
    }
}
