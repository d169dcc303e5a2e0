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
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/**
 * Machines and a pool whose power fails, on all nodes at once. Keys a… lie in partition 0, keys b… in partition 1. At
 * the end every reported transaction must be there, every other one wholly or not at all, and one more loss of power
 * must change nothing.
 */
class PowerStage {
    /** Chooses the lines that survive without a flush: by the seed, or by a script. */
    interface Cut {
        void fail(SimFabric fabric, int node);
    }

    private static final int COORDINATORS = 3;

    final ClusterReport report = new ClusterReport();
    final Simulation simulation;
    final SimFabric fabric;
    TableLayout table;
    long[] a;
    long[] b;

    private final PoolOptions poolOptions;
    private final ClusterHistory history = new ClusterHistory();
    private final Schema schema = Schema.of("rows", Content.Row.class);
    private final List<ObservedProtocol> protocols = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final Supplier<Protocol> protocol;
    private final ClusterOptions options;
    private final Cut cut;
    private Long image;

    /** Whether the strand that was to die has ended. */
    boolean over;

    PowerStage(Simulation simulation, int replicas, Adversary adversary, Supplier<Protocol> protocol, Cut cut) {
        this.simulation = simulation;
        this.protocol = protocol;
        this.cut = cut;
        CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(50_000_000);
        this.fabric = new SimFabric(simulation, Math.max(2, replicas), costs, adversary);
        this.poolOptions = new PoolOptions(
                protocol.get().name(),
                replicas,
                2,
                64 * 1024,
                COORDINATORS,
                LogsInHeap.slotBytes(protocol.get(), 4 * 1024));
        this.options = ClusterOptions.drawn(simulation.seed());
    }

    // ---- strands

    /** Loads two rows in each partition; or as many in the first bucket of the first partition as it holds. */
    final void load(boolean full) {
        strand("loader", () -> {
            Tidepool pool = open(fabric);
            a = keysOf(0);
            b = keysOf(1);
            List<Op> ops = new ArrayList<>();
            for (int i = 0; i < (full ? table.slots() : 2); i++) ops.add(new Op(Kind.INSERT, a[i], false));
            for (int i = 0; i < 2; i++) ops.add(new Op(Kind.INSERT, b[i], false));
            workload(pool, "loader").run(ops, false);
            pool.close();
        });
        simulation.run();
    }

    private long[] keysOf(int partition) {
        long[] keys = new long[table.slots() + 2];
        int count = 0;
        for (long key = 0; count < keys.length; key++) if (table.partition(key) == partition) keys[count++] = key;
        return keys;
    }

    final void strand(String name, Runnable body) {
        simulation.start(machine(name), name, body);
    }

    final Machine machine(String name) {
        Machine machine = simulation.machine(name, 2);
        if (!machines.contains(machine)) machines.add(machine);
        return machine;
    }

    /** Opens the pool, repairing it if its power was lost. Waits for the repair. */
    final Tidepool open(Fabric over) {
        ObservedProtocol observed = new ObservedProtocol(protocol.get());
        protocols.add(observed);
        Tidepool pool = PoolAccess.open(over, poolOptions, observed);
        if (table == null) table = PoolAccess.layout(pool.table(schema, 1));
        return pool;
    }

    final RandomTxns workload(Tidepool pool, String who) {
        return new RandomTxns(options, history, report, pool, table, simulation.randomness(who), who);
    }

    /**
     * Runs until the strand dies at its verb, lets its sent verbs travel for a moment, and cuts the power. Returns
     * false if the strand does not reach the verb.
     *
     * @param body runs on the machine first, and perhaps starts the strand in question
     */
    final boolean untilPowerFails(String machine, String strand, Death death, long momentNanos, Runnable body) {
        over = false;
        Machine dying = machine(machine);
        if (death != null) simulation.crashMachineOf(strand, death.verb(), death.when());
        simulation.start(dying, strand.equals("victim") ? "opener" : strand, body);
        strand("watcher of " + machine, () -> {
            while (!dying.isDead() && !over) Waiting.pause(100);
            Waiting.pause(1 + momentNanos);
            cutPower();
        });
        simulation.run();
        return death == null || dying.isDead() && !over;
    }

    /** Does not return to a strand: its machine has no power either. */
    final void cutPower() {
        cutPower(cut);
    }

    final void cutPower(Cut how) {
        Machine own = null;
        for (Machine machine : machines) {
            if (machine.name().startsWith("watcher") && !machine.isDead()) own = machine;
            else machine.crash();
        }
        for (int node = 0; node < fabric.nodes(); node++) how.fail(fabric, node);
        for (int node = 0; node < fabric.nodes(); node++) fabric.restartNode(node);
        if (own != null) own.crash();
    }

    // ---- checks at the end

    /** Repairs, loses the power once more, and checks everything. */
    final void end() {
        strand("last", () -> {
            Tidepool pool = open(fabric);
            new PoolCheck(fabric, table).checkObjects();
            image = QuietPool.image(fabric, table);
            pool.close();
        });
        simulation.run();
        cutPower();
        long before = QuietPool.image(fabric, table);
        strand("very last", this::useEverything);
        simulation.run();
        if (image == null || image != before)
            throw new ClusterFailure("what was repaired was not persistent: one more loss of power changed it");
        simulation.settle();
        QuietPool.check(fabric, table, history, report);
        report.add(simulation.coverage());
        for (ObservedProtocol observed : protocols) observed.restarts.forEach(report::add);
    }

    private void useEverything() {
        Tidepool pool = open(fabric);
        new PoolCheck(fabric, table).checkObjects();
        List<Op> all = new ArrayList<>();
        for (long key : a) all.add(new Op(Kind.READ, key, false));
        for (long key : b) all.add(new Op(Kind.READ, key, false));
        workload(pool, "last").run(all, false);
        for (long key : a) workload(pool, "last").run(List.of(new Op(Kind.PUT, key, false)), false);
        pool.close();
    }
}
