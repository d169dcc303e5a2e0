package tidepool.evidence.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.PoolCheck;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.protocol.Protocol;
import tidepool.schema.Key;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * A reader whose snapshot is older than a writer that dies, and which continues to read after the writer's recovery.
 * The reader has read one row that the writer changes before the writer begins. If it commits, it has seen all of the
 * writer or nothing.
 */
final class SnapshotScene {
    /** The writer's changes in addition to its update of the first row. */
    enum Shape {
        UPDATE,
        DELETE,
        INSERT,
        INSERT_OVERFLOWING,
        PUT_BACK,
        DELETE_AND_INSERT
    }

    /** @param key a row's key; @param value 1 when it is loaded, 2 when the writer has changed it */
    record Row(@Key long key, long value) {}

    private static final long ABSENT = 0;
    private static final long OLD = 1;
    private static final long NEW = 2;
    private static final long PATIENCE = 10_000;

    private final Simulation simulation;
    private final SimFabric fabric;
    private final PoolOptions poolOptions;
    private final Schema schema = Schema.of("rows", Row.class);
    private final Supplier<Protocol> protocol;
    private final Shape shape;

    /** Whether the other rows lie in the bucket of the first row. */
    private final boolean near;

    private final Map<Long, Long> before = new TreeMap<>();
    private final Map<Long, Long> after = new TreeMap<>();
    private final Map<Long, Long> seen = new TreeMap<>();
    private TableLayout table;
    private long first;
    private long calm;
    private long[] others;
    private boolean hasRead;
    private boolean isRecovered;
    private boolean over;
    private int attempts;

    private SnapshotScene(
            Simulation simulation, Shape shape, boolean near, Adversary adversary, Supplier<Protocol> protocol) {
        this.simulation = simulation;
        this.shape = shape;
        this.near = near;
        this.protocol = protocol;
        CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
        this.fabric = new SimFabric(simulation, 2, costs, adversary);
        this.poolOptions = new PoolOptions(protocol.get().name(), 2, 2, 64 * 1024, 4, 4 * 1024);
    }

    /** Runs the scene. Returns the number of attempts of the reader, or 0 if the writer ended before its verb. */
    static int play(
            Shape shape, boolean near, long seed, Adversary adversary, Death victim, Supplier<Protocol> protocol) {
        Simulation simulation = new Simulation(seed);
        try (simulation) {
            return new SnapshotScene(simulation, shape, near, adversary, protocol).play(victim);
        } catch (RuntimeException e) {
            throw new ClusterFailure(
                    "shape=" + shape + " near=" + near + " seed=" + seed + " victim=" + victim
                            + CrashPlaces.of(simulation, "victim") + ": " + e.getMessage(),
                    e);
        }
    }

    private int play(Death victim) {
        strand("loader", "loader", this::load);
        simulation.run();

        simulation.crashMachineOf("victim", victim.verb(), victim.when());
        Machine dying = simulation.machine("v", 2);
        strand("r", "reader", this::read);
        strand("w", "recoverer", () -> recover(dying));
        simulation.start(dying, "opener", this::write);
        simulation.run();
        check("the reader", seen);

        strand("last", "last", this::readAll);
        simulation.run();
        check("the last reader", seen);
        return dying.isDead() ? attempts : 0;
    }

    // ---- strands

    private void load() {
        Tidepool pool = open();
        table = PoolAccess.layout(pool.table(schema, 1));
        long[] a = keysOf(0);
        long[] rest = near ? a : keysOf(1);
        int next = near ? 2 : 0;
        first = a[0];
        calm = a[1];
        int present = shape == Shape.INSERT_OVERFLOWING ? table.slots() - next : 1;
        others = new long[present + 1];
        for (int i = 0; i < others.length; i++) others[i] = rest[next + i];
        for (long key : List.of(first, calm)) before.put(key, OLD);
        for (int i = 0; i < others.length; i++) before.put(others[i], i < present ? OLD : ABSENT);
        if (shape == Shape.PUT_BACK) insert(pool, others[present]);
        for (Map.Entry<Long, Long> row : before.entrySet()) if (row.getValue() == OLD) insert(pool, row.getKey());
        if (shape == Shape.PUT_BACK)
            pool.transact(tx -> tx.raw().delete(table, others[present])); // its slot keeps a tombstone
        after.putAll(before);
        after.put(first, NEW);
        switch (shape) {
            case UPDATE -> after.put(others[0], NEW);
            case DELETE -> after.put(others[0], ABSENT);
            case INSERT, INSERT_OVERFLOWING, PUT_BACK -> after.put(others[present], NEW);
            case DELETE_AND_INSERT -> {
                after.put(others[0], ABSENT);
                after.put(others[present], NEW);
            }
        }
        pool.close();
    }

    private void insert(Tidepool pool, long key) {
        pool.transact(tx -> {
            int access = tx.raw().insert(table, key);
            if (tx.raw().execute()) Words.plain(tx.raw().memory(), tx.raw().value(access), OLD);
        });
    }

    private long[] keysOf(int partition) {
        long[] keys = new long[table.slots() + 3];
        int count = 0;
        for (long key = 0; count < keys.length; key++) if (table.partition(key) == partition) keys[count++] = key;
        return keys;
    }

    /** Reads the first two rows before the writer begins, and all rows after its recovery, in one snapshot. */
    private void read() {
        Tidepool pool = open();
        pool.table(schema, 1);
        pool.transact(tx -> {
            attempts++;
            seen.clear();
            if (!look(tx.raw(), List.of(first, calm))) return;
            hasRead = true;
            await(() -> isRecovered);
            look(tx.raw(), List.copyOf(before.keySet()));
        });
        pool.close();
    }

    private void readAll() {
        Tidepool pool = open();
        pool.table(schema, 1);
        pool.transact(tx -> {
            seen.clear();
            look(tx.raw(), List.copyOf(before.keySet()));
        });
        new PoolCheck(fabric, table, false).checkObjects();
        pool.close();
    }

    private boolean look(Txn txn, List<Long> keys) {
        List<Integer> accesses = new ArrayList<>();
        for (long key : keys) accesses.add(txn.read(table, key));
        if (!txn.execute()) return false;
        for (int i = 0; i < keys.size(); i++) {
            int access = accesses.get(i);
            seen.put(keys.get(i), txn.found(access) ? Words.plain(txn.memory(), txn.value(access)) : ABSENT);
        }
        return true;
    }

    private void write() {
        Tidepool pool = open();
        pool.table(schema, 1);
        pool.transact(tx -> tx.raw().read(table, calm)); // prepares a coordinator
        await(() -> hasRead);
        simulation.start(simulation.machine("v", 2), "victim", () -> pool.transact(tx -> change(tx.raw())));
        await(() -> simulation.strand("victim") != null
                && simulation.strand("victim").isDone());
        pool.close();
        over = true;
    }

    private void change(Txn txn) {
        List<Integer> written = new ArrayList<>();
        for (Map.Entry<Long, Long> row : after.entrySet()) {
            long key = row.getKey();
            if (row.getValue().equals(before.get(key))) continue;
            if (row.getValue() == ABSENT) txn.delete(table, key);
            else if (before.get(key) != ABSENT) written.add(txn.update(table, key));
            else written.add(shape == Shape.PUT_BACK ? txn.put(table, key) : txn.insert(table, key));
        }
        if (!txn.execute()) return;
        for (int access : written) Words.plain(txn.memory(), txn.value(access), NEW);
    }

    private void recover(Machine dying) {
        Tidepool pool = open();
        await(() -> dying.isDead() || over);
        pool.recoverAll();
        isRecovered = true;
        pool.close();
    }

    // ---- helpers

    private void check(String who, Map<Long, Long> rows) {
        if (!rows.equals(before) && !rows.equals(after))
            throw new ClusterFailure(
                    who + " committed half of the writer: saw " + rows + ", before " + before + ", after " + after);
    }

    private static void await(BooleanSupplier condition) {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            if (tries == PATIENCE) throw new ClusterFailure("waited in vain");
            Waiting.pause(1_000);
        }
    }

    private Machine strand(String machineName, String name, Runnable body) {
        Machine machine = simulation.machine(machineName, 2);
        simulation.start(machine, name, body);
        return machine;
    }

    private Tidepool open() {
        return PoolAccess.open(fabric, poolOptions, protocol.get());
    }
}
