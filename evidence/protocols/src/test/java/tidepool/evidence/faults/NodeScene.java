package tidepool.evidence.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterHistory;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.Content;
import tidepool.clusters.LogsInHeap;
import tidepool.clusters.ObservedProtocol;
import tidepool.clusters.PoolCheck;
import tidepool.clusters.RandomTxns;
import tidepool.clusters.RandomTxns.Kind;
import tidepool.clusters.RandomTxns.Op;
import tidepool.clusters.SimRosters;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.fabric.FabricException;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;

/**
 * One transaction, and memory nodes that die at verbs that arrive at them: of that transaction, of the recoverer of its
 * machine, of the steward that removes the first dead node and has its copies filled. Another client writes every key
 * from the moment of the first death. At the end every reported transaction is there, all copies are equal, and nothing
 * is locked.
 */
final class NodeScene {
    /** Shapes of the transaction. Keys a… lie in partition 0, keys b… in partition 1. */
    enum Shape {
        UPDATE_TWO_AND_READ,
        INSERT,
        INSERT_OVERFLOWING,
        DELETE
    }

    /**
     * Events of a scene.
     *
     * @param members memory nodes of the pool; one more exists to replace a lost one
     * @param victim where the machine of the transaction dies, so that another recovers it; null for nowhere
     * @param steward where the first steward dies, so that the second takes over; null for nowhere
     * @param deaths of memory nodes, one after the other: the verbs of the second are counted from the first death on
     */
    record Plan(
            Shape shape,
            int members,
            int replicas,
            long seed,
            Adversary adversary,
            Death victim,
            Death steward,
            List<NodeDeath> deaths) {}

    private static final long LEASE_NANOS = 300_000;
    private static final long DEADLINE_NANOS = 2_000_000;
    private static final long LOOK_NANOS = 50_000;
    private static final long PATIENCE_NANOS = 5_000_000;
    private static final long MAX_NANOS = 20_000_000_000L;
    private static final int COORDINATORS = 8;

    final ClusterReport report = new ClusterReport();
    private final Plan plan;
    private final Supplier<Protocol> protocol;
    private final Simulation simulation;
    private final SimFabric fabric;
    private final SimRosters rosters;
    private final PoolOptions poolOptions;
    private final NodeDeaths deaths;
    private final ClusterHistory history = new ClusterHistory();
    private final List<ObservedProtocol> protocols = new ArrayList<>();
    private final Schema schema = Schema.of("rows", Content.Row.class);
    private TableLayout table;
    private long[] a;
    private long[] b;
    private int ready;
    private boolean victimOver;
    private boolean watcherOver;
    private boolean proberOver;
    private long writableNanos;

    private NodeScene(Simulation simulation, Plan plan, Supplier<Protocol> protocol) {
        this.simulation = simulation;
        this.plan = plan;
        this.protocol = protocol;
        CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(DEADLINE_NANOS);
        this.fabric = new SimFabric(simulation, plan.members() + 1, costs, plan.adversary());
        this.poolOptions = new PoolOptions(
                protocol.get().name(),
                plan.replicas(),
                2,
                64 * 1024,
                COORDINATORS,
                LogsInHeap.slotBytes(protocol.get(), 4 * 1024));
        this.rosters = new SimRosters(fabric, 1, 2, plan.replicas(), LEASE_NANOS);
        this.deaths = new NodeDeaths(fabric, rosters, plan.deaths());
    }

    /** Runs the scene. Returns null if a machine or node that was to die did not reach its verb. */
    static ClusterReport play(Plan plan, Supplier<Protocol> protocol) {
        Simulation simulation = new Simulation(plan.seed());
        try (simulation) {
            NodeScene scene = new NodeScene(simulation, plan, protocol);
            return scene.play() ? scene.report : null;
        } catch (RuntimeException e) {
            throw new ClusterFailure(
                    plan + CrashPlaces.of(simulation, "victim", "steward0") + ": " + e.getMessage(), e);
        }
    }

    private boolean play() {
        strand("loader", this::load);
        simulation.run();

        fabric.listen(deaths);
        if (plan.victim() != null)
            simulation.crashMachineOf(
                    "victim", plan.victim().verb(), plan.victim().when());
        if (plan.steward() != null)
            simulation.crashMachineOf(
                    "steward0", plan.steward().verb(), plan.steward().when());
        Machine dying = simulation.machine("v", 2);
        simulation.start(dying, "opener", this::prepareVictim);
        strand("watcher", () -> watch(dying));
        strand("prober", this::probe);
        Machine first = strand("steward0", () -> tend(dying));
        strand("steward1", () -> tend(dying));
        simulation.run();
        fabric.listen(null);
        if (!deaths.isOver() || plan.victim() != null && !dying.isDead()) return false;
        if (plan.steward() != null && !first.isDead()) return false;

        strand("last", this::finish);
        simulation.run();
        simulation.settle();
        Roster now = rosters.now();
        QuietPool.check(new PoolCheck(rosters.showing(now), now, table), table, history, report);
        report.add(simulation.coverage());
        for (ObservedProtocol observed : protocols) {
            for (Reconfiguration.Report change : observed.changes) report.add(change);
            observed.recoveries.forEach(report::add);
            report.add("change cut off", observed.changesBegun - observed.changes.size());
        }
        report.add("most micros until every key could be written", writableNanos / 1000);
        return true;
    }

    // ---- strands

    private void load() {
        Tidepool pool = open();
        table = PoolAccess.layout(pool.table(schema, 1));
        a = keysOf(0);
        b = keysOf(1);
        int filled = plan.shape() == Shape.INSERT_OVERFLOWING ? table.slots() : 2;
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < filled; i++) ops.add(new Op(Kind.INSERT, a[i], false));
        for (int i = 0; i < 2; i++) ops.add(new Op(Kind.INSERT, b[i], false));
        workload(pool, "loader").run(ops, false);
        pool.close();
    }

    private long[] keysOf(int partition) {
        long[] keys = new long[table.slots() + 2];
        int count = 0;
        for (long key = 0; count < keys.length; key++) if (table.partition(key) == partition) keys[count++] = key;
        return keys;
    }

    /** Opens the pool and warms it up, so that every verb of the victim's strand is one of its transaction. */
    private void prepareVictim() {
        Tidepool pool = open();
        RandomTxns workload = workload(pool, "victim");
        workload.run(List.of(new Op(Kind.READ, a[0], false), new Op(Kind.READ, b[0], false)), false);
        while (ready < 2) Waiting.pause(1_000);
        simulation.start(simulation.machine("v", 2), "victim", () -> workload.run(ops(), false));
        while (simulation.strand("victim") == null
                || !simulation.strand("victim").isDone()) Waiting.pause(5_000);
        pool.close();
        victimOver = true;
    }

    private List<Op> ops() {
        return switch (plan.shape()) {
            case UPDATE_TWO_AND_READ ->
                List.of(
                        new Op(Kind.UPDATE, a[0], false),
                        new Op(Kind.UPDATE, b[0], false),
                        new Op(Kind.READ, b[1], false));
            case INSERT -> List.of(new Op(Kind.INSERT, a[2], false));
            case INSERT_OVERFLOWING -> List.of(new Op(Kind.INSERT, a[table.slots()], false));
            case DELETE -> List.of(new Op(Kind.DELETE, a[0], false));
        };
    }

    /** Recovers the victim if its machine dies. */
    private void watch(Machine dying) {
        Tidepool pool = open();
        ready++;
        while (!dying.isDead() && !victimOver) Waiting.pause(200);
        if (dying.isDead()) {
            simulation.start(simulation.machine("watcher", 2), "recoverer", () -> {
                pool.recoverAll();
                pool.close();
                watcherOver = true;
            });
            return;
        }
        pool.close();
        watcherOver = true;
    }

    /** Writes every key once, from the first death on, and reports how long that took. */
    private void probe() {
        Tidepool pool = open();
        ready++;
        while (!deaths.hasBegun() && !watcherOver) Waiting.pause(500);
        if (deaths.hasBegun()) {
            RandomTxns workload = workload(pool, "prober");
            for (long key : a) workload.run(List.of(new Op(Kind.PUT, key, false)), false);
            for (long key : b) workload.run(List.of(new Op(Kind.PUT, key, false)), false);
            writableNanos = simulation.nowNanos() - deaths.begunNanos();
        }
        pool.close();
        proberOver = true;
    }

    private boolean isAnyStrandAtWork(Machine dying) {
        return !victimOver && !dying.isDead() || !watcherOver || !proberOver;
    }

    /** Runs a steward until all strands have ended and all copies are whole. */
    private void tend(Machine dying) {
        ObservedProtocol observed = observed();
        Steward steward = new Steward(rosters.client(), poolOptions, observed, PATIENCE_NANOS);
        while (isAnyStrandAtWork(dying) || !isWell()) {
            try {
                if (steward.tend()) continue;
            } catch (FabricException | StoreException e) {
                report.add("steward failed", 1);
            }
            Waiting.pause(LOOK_NANOS);
            if (simulation.nowNanos() > MAX_NANOS)
                throw new ClusterFailure(
                        "the memory nodes do not get well: " + rosters.now().text());
        }
    }

    private boolean isWell() {
        Roster now = rosters.now();
        if (!now.steady() || now.isFilling()) return false;
        for (Roster.Member member : now.members()) if (fabric.isDown(SimRosters.node(member))) return false;
        return now.partitions().stream().allMatch(copies -> copies.whole().size() == plan.replicas());
    }

    private void finish() {
        Tidepool pool = open();
        for (int tries = 0; PoolAccess.fabric(pool).control(0).sessions().length > 1; tries++) {
            pool.recoverAll();
            Waiting.pause(5_000);
            if (tries > 1000) throw new ClusterFailure("sessions are left that nobody recovers");
        }
        Roster now = rosters.now();
        new PoolCheck(rosters.showing(now), now, table).checkObjects();
        List<Op> all = new ArrayList<>();
        for (long key : a) all.add(new Op(Kind.READ, key, false));
        for (long key : b) all.add(new Op(Kind.READ, key, false));
        workload(pool, "last").run(all, false);
        for (long key : a) workload(pool, "last").run(List.of(new Op(Kind.PUT, key, false)), false);
        for (long key : b) workload(pool, "last").run(List.of(new Op(Kind.PUT, key, false)), false);
        pool.close();
    }

    // ---- helpers

    private Machine strand(String name, Runnable body) {
        Machine machine = simulation.machine(name, 2);
        simulation.start(machine, name, body);
        return machine;
    }

    private Tidepool open() {
        while (true) {
            try {
                return PoolAccess.open(rosters.client(), poolOptions, observed());
            } catch (FabricException e) {
                report.add("opening failed", 1);
            }
        }
    }

    private ObservedProtocol observed() {
        ObservedProtocol observed = new ObservedProtocol(protocol.get());
        protocols.add(observed);
        return observed;
    }

    private RandomTxns workload(Tidepool pool, String who) {
        return new RandomTxns(ClusterOptions.drawn(1), history, report, pool, table, simulation.randomness(who), who);
    }
}
