package tidepool.check.cluster;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Checksum64;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.check.cluster.CrashScene.Death;
import tidepool.check.cluster.Workload.Kind;
import tidepool.check.cluster.Workload.Step;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.CostProfile;
import tidepool.fabric.sim.Machine;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.protocol.Protocol;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableInfo;
import tidepool.store.schema.Schema;

/**
 * One transaction, and a moment after one of its verbs the power fails, everywhere; then one who repairs the pool, perhaps
 * cut off in the same way at one of its own verbs; then another who finishes. What was reported must be there, the last
 * transaction wholly or not at all, and one more loss of power must change nothing.
 */
final class PowerScene {
    /** What the transaction is. Keys a… lie in partition 0, keys b… in partition 1. */
    enum Shape {
        UPDATE,
        UPDATE_TWO_PARTITIONS,
        UPDATE_AND_READ,
        INSERT,
        INSERT_OVERFLOWING,
        DELETE,
        PUT
    }

    /** Which lines were not flushed and survive: as the seed says, or as a script says. */
    interface Cut {
        void fail(SimFabric fabric, int node);
    }

    private static final int COORDINATORS = 3;

    final ClusterReport report = new ClusterReport();
    private final Simulation simulation;
    private final SimFabric fabric;
    private final PoolOptions poolOptions;
    private final ClusterHistory history = new ClusterHistory();
    private final Schema schema = Schema.of("rows", Content.Row.class);
    private final List<ObservedProtocol> protocols = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final Supplier<Protocol> protocol;
    private final Shape shape;
    private final ClusterOptions options;
    private final Randomness random;
    private final Cut cut;
    private TableInfo table;
    private long[] a;
    private long[] b;
    private boolean over;

    private PowerScene(
            Simulation simulation,
            Shape shape,
            int replicas,
            Adversary adversary,
            Supplier<Protocol> protocol,
            Cut cut) {
        this.simulation = simulation;
        this.shape = shape;
        this.protocol = protocol;
        this.cut = cut;
        CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(50_000_000);
        this.fabric = new SimFabric(simulation, Math.max(2, replicas), costs, adversary);
        this.poolOptions = new PoolOptions(protocol.get().name(), replicas, 2, 64 * 1024, COORDINATORS, 4 * 1024);
        this.options = ClusterOptions.drawn(simulation.seed());
        this.random = simulation.randomness("scene");
    }

    /** Plays the scene; null if the victim, or the one that repairs, ended before it got to its verb. */
    static ClusterReport play(
            Shape shape,
            int replicas,
            long seed,
            Adversary adversary,
            Death victim,
            Death repairer,
            Supplier<Protocol> protocol) {
        return play(shape, replicas, seed, adversary, victim, repairer, protocol, SimFabric::failPower);
    }

    static ClusterReport play(
            Shape shape,
            int replicas,
            long seed,
            Adversary adversary,
            Death victim,
            Death repairer,
            Supplier<Protocol> protocol,
            Cut cut) {
        try (Simulation simulation = new Simulation(seed)) {
            PowerScene scene = new PowerScene(simulation, shape, replicas, adversary, protocol, cut);
            return scene.play(victim, repairer) ? scene.report : null;
        } catch (RuntimeException e) {
            throw new ClusterFailure(
                    "shape=" + shape + " replicas=" + replicas + " seed=" + seed + " victim=" + victim + " repairer="
                            + repairer + ": " + e.getMessage(),
                    e);
        }
    }

    private boolean play(Death victim, Death repairer) {
        strand("loader", this::load);
        simulation.run();

        if (!untilPowerFails("v", "victim", victim, this::prepareVictim)) return false;
        if (repairer != null && !untilPowerFails("r", "repairer", repairer, this::repair)) return false;
        strand("last", this::finish);
        simulation.run();
        cutPower();
        long before = image();
        strand("very last", this::useEverything);
        simulation.run();
        if (image == null || image != before)
            throw new ClusterFailure("what was repaired was not persistent: one more loss of power changed it");
        simulation.settle();
        check();
        report.add(simulation.reached());
        for (ObservedProtocol observed : protocols) observed.restarts.forEach(report::add);
        return true;
    }

    /** Runs until the strand dies at its verb, and a moment longer; false if it does not get there. */
    private boolean untilPowerFails(String machine, String strand, Death death, Runnable body) {
        over = false;
        Machine dying = machine(machine);
        if (death != null) simulation.crashMachineOf(strand, death.verb(), death.when());
        simulation.start(dying, strand.equals("victim") ? "opener" : strand, body);
        long moment = random.nextLong(3_000);
        strand("watcher of " + machine, () -> {
            while (!dying.isDead() && !over) Waiting.pause(100);
            Waiting.pause(1 + moment);
            cutPower();
        });
        simulation.run();
        return death == null || dying.isDead() && !over;
    }

    private void cutPower() {
        Machine own = null;
        for (Machine machine : machines) {
            if (machine.name().startsWith("watcher") && !machine.isDead()) own = machine;
            else machine.crash();
        }
        for (int node = 0; node < fabric.nodes(); node++) cut.fail(fabric, node);
        for (int node = 0; node < fabric.nodes(); node++) fabric.restartNode(node);
        if (own != null) own.crash(); // the strand that runs here: does not return
    }

    // ---- who plays

    private void load() {
        Tidepool pool = open();
        table = pool.table(schema, 1);
        a = keysOf(0);
        b = keysOf(1);
        int filled = shape == Shape.INSERT_OVERFLOWING ? table.slots() : 2;
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < filled; i++) steps.add(new Step(Kind.INSERT, a[i], false));
        for (int i = 0; i < 2; i++) steps.add(new Step(Kind.INSERT, b[i], false));
        workload(pool, "loader").run(steps, false);
        pool.close();
    }

    private long[] keysOf(int partition) {
        long[] keys = new long[table.slots() + 2];
        int count = 0;
        for (long key = 0; count < keys.length; key++) if (table.partition(key) == partition) keys[count++] = key;
        return keys;
    }

    /** Opens the pool and fills both log slots, so that every verb of the victim's strand is one of its transaction. */
    private void prepareVictim() {
        Tidepool pool = open();
        pool.table(schema, 1);
        Workload workload = workload(pool, "victim");
        workload.run(List.of(new Step(Kind.READ, a[0], false), new Step(Kind.READ, b[0], false)), false);
        for (int i = 0; i < 2; i++)
            workload.run(List.of(new Step(Kind.UPDATE, a[1], false), new Step(Kind.UPDATE, b[1], false)), false);
        simulation.start(machine("v"), "victim", () -> {
            workload.run(steps(), false);
            Waiting.pause(10_000); // what is in the background ends
            over = true;
        });
    }

    private List<Step> steps() {
        return switch (shape) {
            case UPDATE -> List.of(new Step(Kind.UPDATE, a[0], false));
            case UPDATE_TWO_PARTITIONS ->
                List.of(new Step(Kind.UPDATE, a[0], false), new Step(Kind.UPDATE, b[0], false));
            case UPDATE_AND_READ -> List.of(new Step(Kind.UPDATE, a[0], false), new Step(Kind.READ, b[0], false));
            case INSERT -> List.of(new Step(Kind.INSERT, a[2], false));
            case INSERT_OVERFLOWING -> List.of(new Step(Kind.INSERT, a[table.slots()], false));
            case DELETE -> List.of(new Step(Kind.DELETE, a[0], false));
            case PUT -> List.of(new Step(Kind.PUT, a[1], false), new Step(Kind.PUT, b[2], false));
        };
    }

    private void repair() {
        open().close();
        over = true;
    }

    private void finish() {
        Tidepool pool = open();
        new PoolCheck(fabric, table).checkObjects();
        image = image();
        pool.close();
    }

    private Long image;

    private void useEverything() {
        Tidepool pool = open();
        new PoolCheck(fabric, table).checkObjects();
        List<Step> all = new ArrayList<>();
        for (long key : a) all.add(new Step(Kind.READ, key, false));
        for (long key : b) all.add(new Step(Kind.READ, key, false));
        workload(pool, "last").run(all, false);
        for (long key : a) workload(pool, "last").run(List.of(new Step(Kind.PUT, key, false)), false);
        pool.close();
    }

    // ---- helpers

    private void strand(String name, Runnable body) {
        simulation.start(machine(name), name, body);
    }

    private Machine machine(String name) {
        Machine machine = simulation.machine(name, 2);
        if (!machines.contains(machine)) machines.add(machine);
        return machine;
    }

    private Tidepool open() {
        ObservedProtocol observed = new ObservedProtocol(protocol.get());
        protocols.add(observed);
        return Tidepool.open(fabric, poolOptions, observed);
    }

    private Workload workload(Tidepool pool, String who) {
        return new Workload(options, history, report, pool, table, simulation.randomness(who), who);
    }

    /** All that is believed after a loss of power: every replica that is there, byte for byte. */
    private long image() {
        long sum = 0;
        PoolView view = new PoolView(fabric);
        for (int partition = 0; partition < 2; partition++)
            for (int r = 0; r < view.placement().replicas(); r++) {
                MemorySegment memory = view.replica(Pointer.of(partition, 64), r);
                sum = sum * 31 + Checksum64.of(memory, 0, table.base() + table.areaBytes(), 1);
            }
        return sum;
    }

    private void check() {
        PoolCheck pool = new PoolCheck(fabric, table);
        pool.check();
        SerialOrder order =
                new SerialOrder(history, key -> Place.ofBucket(table.home(key)), pool.versions(), pool.contents());
        order.check();
        report.add("unknown that happened", order.unknownThatHappened());
        for (Attempt attempt : history.attempts())
            if (attempt.end == Attempt.End.OPEN && attempt.who.equals("victim")) report.add("victim unknown", 1);
    }
}
