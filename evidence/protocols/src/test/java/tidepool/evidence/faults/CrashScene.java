package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterHistory;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.Content;
import tidepool.clusters.LogsInHeap;
import tidepool.clusters.PoolCheck;
import tidepool.clusters.PoolView;
import tidepool.clusters.RandomTxns;
import tidepool.clusters.RandomTxns.Kind;
import tidepool.clusters.RandomTxns.Op;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Step;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/**
 * One transaction whose client is killed at one of its verbs; then a recoverer, perhaps killed at one of its own verbs;
 * then another one that finishes. All of the transaction must be left, or nothing.
 */
final class CrashScene {
    /** Shapes of the victim's transaction. Keys a… lie in partition 0, keys b… in partition 1. */
    enum Shape {
        UPDATE,
        UPDATE_TWO_PARTITIONS,
        UPDATE_AND_READ,
        INSERT,
        INSERT_OVERFLOWING,
        INSERT_INTO_FREE_BUCKET,
        DELETE,
        DELETE_EMPTYING_BUCKET,
        PUT,
        /** Keys that are changed, deleted and inserted several times, and one that is only deleted. */
        AGAIN_AND_AGAIN,
        READ_MANY,
        ABORT_BY_CONFLICT,
        ABORT_BY_ROLLBACK,
        CLOSE
    }

    /** The verb at which a machine dies, or its step if one is given; null for none. */
    record Death(long verb, Step step, When when) {
        Death(long verb, When when) {
            this(verb, null, when);
        }

        CrashPoint point() {
            if (step == null) return CrashPoint.at(verb, when);
            return when == When.BEFORE ? CrashPoint.before(step) : CrashPoint.after(step);
        }
    }

    private static final int COORDINATORS = 3;

    final ClusterReport report = new ClusterReport();
    private final Simulation simulation;
    private final SimFabric fabric;
    private final PoolOptions poolOptions;
    private final ClusterHistory history = new ClusterHistory();
    private final Schema schema = Schema.of("rows", Content.Row.class);
    private final Supplier<Protocol> protocol;
    private final Shape shape;
    private final ClusterOptions options;
    private TableLayout table;
    private long[] a;
    private long[] b;
    private boolean warm;
    private boolean held;
    private boolean over;
    private int watching;

    private CrashScene(
            Simulation simulation, Shape shape, int replicas, Adversary adversary, Supplier<Protocol> protocol) {
        this.simulation = simulation;
        this.shape = shape;
        this.protocol = protocol;
        CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
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

    /** Runs the scene. Returns null if the victim, or the recoverer that was to die, ended before its verb. */
    static ClusterReport play(
            Shape shape,
            int replicas,
            long seed,
            Adversary adversary,
            Death victim,
            Death recoverer,
            boolean two,
            Supplier<Protocol> protocol) {
        Simulation simulation = new Simulation(seed);
        try (simulation) {
            CrashScene scene = new CrashScene(simulation, shape, replicas, adversary, protocol);
            return scene.play(victim, recoverer, two) ? scene.report : null;
        } catch (RuntimeException e) {
            throw new ClusterFailure(
                    "shape=" + shape + " replicas=" + replicas + " seed=" + seed + " victim=" + victim + " recoverer="
                            + recoverer + " two=" + two + CrashPlaces.of(simulation, "victim", "recoverer") + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private boolean play(Death victim, Death recoverer, boolean two) {
        strand("loader", "loader", this::load);
        simulation.run();

        if (victim != null) simulation.crash("victim", victim.point());
        if (recoverer != null) simulation.crash("recoverer", recoverer.point());
        Machine dying = simulation.machine("v", 2);
        Machine repairing = strand("r", "watcher", () -> watch(dying, "r", "recoverer"));
        if (two) strand("s", "second watcher", () -> watch(dying, "s", "second"));
        simulation.start(dying, "opener", this::prepareVictim);
        if (shape == Shape.ABORT_BY_CONFLICT) strand("other", "other", this::holdLock);
        simulation.run();
        if (victim != null && !dying.isDead()) return false;
        if (recoverer != null && !repairing.isDead()) return false;

        strand("last", "last", this::finish);
        simulation.run();
        simulation.settle();
        QuietPool.check(fabric, table, history, report);
        report.add(simulation.coverage());
        return true;
    }

    // ---- strands

    private void load() {
        Tidepool pool = open();
        table = PoolAccess.layout(pool.table(schema, 1));
        a = keysOf(0);
        b = keysOf(1);
        int filled =
                switch (shape) {
                    case INSERT_OVERFLOWING -> table.slots();
                    case INSERT_INTO_FREE_BUCKET, DELETE_EMPTYING_BUCKET -> table.slots() + 1;
                    default -> 2;
                };
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < filled; i++) ops.add(new Op(Kind.INSERT, a[i], false));
        for (int i = 0; i < 2; i++) ops.add(new Op(Kind.INSERT, b[i], false));
        workload(pool, "loader").run(ops, false);
        if (shape == Shape.INSERT_INTO_FREE_BUCKET)
            workload(pool, "loader").run(List.of(new Op(Kind.DELETE, a[table.slots()], false)), false);
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
        pool.table(schema, 1);
        RandomTxns workload = workload(pool, "victim");
        workload.run(List.of(new Op(Kind.READ, a[0], false), new Op(Kind.READ, b[0], false)), false);
        if (shape == Shape.CLOSE) workload.run(List.of(new Op(Kind.UPDATE, a[0], false)), false);
        while (watching == 0) Waiting.pause(1_000);
        warm = true;
        while (shape == Shape.ABORT_BY_CONFLICT && !held) Waiting.pause(1_000);
        simulation.start(simulation.machine("v", 2), "victim", () -> {
            if (shape == Shape.CLOSE) pool.close();
            else workload.run(ops(), shape == Shape.ABORT_BY_ROLLBACK);
        });
        // Without a crash the process goes on: its background rounds end, or its machine dies before they do.
        while (simulation.strand("victim") == null
                || !simulation.strand("victim").isDone()) Waiting.pause(5_000);
        pool.close();
        over = true;
    }

    private List<Op> ops() {
        return switch (shape) {
            case UPDATE -> List.of(new Op(Kind.UPDATE, a[0], false));
            case UPDATE_TWO_PARTITIONS, ABORT_BY_CONFLICT, ABORT_BY_ROLLBACK ->
                List.of(new Op(Kind.UPDATE, a[0], false), new Op(Kind.UPDATE, b[0], false));
            case UPDATE_AND_READ -> List.of(new Op(Kind.UPDATE, a[0], false), new Op(Kind.READ, b[0], false));
            case INSERT -> List.of(new Op(Kind.INSERT, a[2], false));
            case DELETE_EMPTYING_BUCKET -> List.of(new Op(Kind.DELETE, a[table.slots()], false));
            case INSERT_OVERFLOWING, INSERT_INTO_FREE_BUCKET -> List.of(new Op(Kind.INSERT, a[table.slots()], false));
            case DELETE -> List.of(new Op(Kind.DELETE, a[0], false));
            case PUT -> List.of(new Op(Kind.PUT, a[1], false), new Op(Kind.PUT, b[2], false));
            case AGAIN_AND_AGAIN ->
                List.of(
                        new Op(Kind.UPDATE, a[0], true),
                        new Op(Kind.DELETE, a[0], true),
                        new Op(Kind.INSERT, a[2], true),
                        new Op(Kind.PUT, a[0], true),
                        new Op(Kind.DELETE, a[2], true),
                        new Op(Kind.DELETE, a[1], true),
                        new Op(Kind.UPDATE, b[0], true));
            case READ_MANY ->
                List.of(new Op(Kind.READ, a[0], false), new Op(Kind.READ, b[0], false), new Op(Kind.READ, a[2], false));
            case CLOSE -> List.of();
        };
    }

    /**
     * Holds a lock that the victim needs, for a time. The lock is written directly, because some protocols lock only to
     * commit.
     */
    private void holdLock() {
        Tidepool pool = open();
        while (!warm) Waiting.pause(1_000);
        long record = recordOf(b[0]);
        MemorySegment primary = new PoolView(fabric).replica(record, 0);
        long lock = Pointer.offset(record) + ObjectLayout.LOCK;
        Words.plain(primary, lock, TxnId.R | TxnId.of(pool.sessionNumber(), 1));
        held = true;
        while (simulation.strand("victim") == null) Waiting.pause(1_000);
        Waiting.pause(30_000);
        Words.plain(primary, lock, 0);
        report.add("conflict", 1);
        pool.close();
    }

    private long recordOf(long key) {
        long home = table.home(key);
        for (int slot = 0; slot < table.slots(); slot++) {
            long record = home + (table.slotOffset(slot) >>> 3);
            MemorySegment memory = new PoolView(fabric).replica(record, 0);
            if (ObjectLayout.holds(memory, Pointer.offset(record) + ObjectLayout.BODY, key)) return record;
        }
        throw new ClusterFailure("key " + key + " is not in its first bucket");
    }

    /** Waits for the victim's death with everything ready, and recovers it while its last verbs are under way. */
    private void watch(Machine dying, String machine, String name) {
        Tidepool pool = open();
        watching++;
        while (!dying.isDead() && !over) Waiting.pause(200);
        simulation.start(simulation.machine(machine, 2), name, () -> {
            pool.recoverAll();
            pool.close();
        });
    }

    private void finish() {
        Tidepool pool = open();
        for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
            pool.recoverAll();
            Waiting.pause(5_000);
            if (tries > 1000) throw new ClusterFailure("sessions are left that nobody recovers");
        }
        new PoolCheck(fabric, table).checkObjects();
        long before = QuietPool.image(fabric, table);
        pool.recoverAll();
        if (QuietPool.image(fabric, table) != before) throw new ClusterFailure("a second recovery changed something");
        List<Op> all = new ArrayList<>();
        for (long key : a) all.add(new Op(Kind.READ, key, false));
        for (long key : b) all.add(new Op(Kind.READ, key, false));
        workload(pool, "last").run(all, false);
        for (long key : a) workload(pool, "last").run(List.of(new Op(Kind.PUT, key, false)), false);
        pool.close();
    }

    // ---- helpers

    private Machine strand(String machineName, String name, Runnable body) {
        Machine machine = simulation.machine(machineName, 2);
        simulation.start(machine, name, body);
        return machine;
    }

    private Tidepool open() {
        Protocol own = protocol.get();
        return PoolAccess.open(fabric, poolOptions, new Watched(own, report));
    }

    /** Records what recoveries did. */
    private record Watched(Protocol protocol, ClusterReport report) implements Protocol {
        @Override
        public String name() {
            return protocol.name();
        }

        @Override
        public tidepool.store.RowFormat rows(Schema rowSchema) {
            return protocol.rows(rowSchema);
        }

        @Override
        public tidepool.protocol.Coordinator coordinator(
                tidepool.fabric.Session session,
                tidepool.store.Catalog catalog,
                tidepool.protocol.TxnCounter counters) {
            return protocol.coordinator(session, catalog, counters);
        }

        @Override
        public Recovery recovery(tidepool.fabric.Session session, tidepool.store.Catalog catalog) {
            Recovery recovery = protocol.recovery(session, catalog);
            return dead -> {
                Recovery.Report done = recovery.recover(dead);
                if (done != null) report.add(done);
                return done;
            };
        }
    }

    private RandomTxns workload(Tidepool pool, String who) {
        return new RandomTxns(options, history, report, pool, table, simulation.randomness(who), who);
    }
}
