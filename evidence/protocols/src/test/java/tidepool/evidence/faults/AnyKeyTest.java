package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolView;
import tidepool.protocol.Protocols;
import tidepool.schema.Fields.LongField;
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
 * No key is special. The key of a row may equal the pointer to its own object, and the row may be as long as the head
 * of a bucket. It is written like any other, by every protocol, and repaired like any other.
 */
class AnyKeyTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;
    private static final int LONG_VALUE = 200;

    /** As long as the content of a head. */
    public record One(@Key long id, long value) {}

    /** Shorter than the content of a head. */
    public record Half(@Key long id, int value) {}

    /** Longer than the content of a head. */
    public record Three(@Key long id, long value, long twice, long thrice) {}

    /** Much longer than the content of a head, so that an object has several cache lines. */
    public record Many(@Key long id, @Length(LONG_VALUE) byte[] value) {}

    /** A kind of row: its type, and how it is made and read. */
    private record Kind<T extends Record>(Class<T> type, Maker<T> maker, Function<T, Long> value) {}

    private interface Maker<T> {
        T row(long id, long value);
    }

    private static final Kind<One> ONE = new Kind<>(One.class, One::new, One::value);
    private static final List<Kind<?>> KINDS = List.of(
            ONE,
            new Kind<>(Half.class, (id, value) -> new Half(id, (int) value), row -> (long) row.value()),
            new Kind<>(Three.class, (id, value) -> new Three(id, value, 2 * value, 3 * value), Three::value),
            new Kind<>(Many.class, (id, value) -> new Many(id, repeated(value)), row -> word(row.value())));

    private static byte[] repeated(long value) {
        ByteBuffer bytes = ByteBuffer.allocate(LONG_VALUE);
        while (bytes.hasRemaining()) bytes.putLong(value);
        return bytes.array();
    }

    /** Returns the word that a long value repeats. */
    private static long word(byte[] value) {
        long word = ByteBuffer.wrap(value).getLong();
        assertArrayEquals(repeated(word), value, "a value is whole");
        return word;
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return List.of(
                "ford",
                "ford?locking=separate",
                "ford?flush=selective",
                "ford-lv?vcachebytes=4k",
                "farm",
                "drtmh",
                "farmv2",
                "motor",
                "motor?isolation=snapshot",
                "hdtx",
                "hdtx?reads=locked",
                "hdtx?release=client");
    }

    /** Every key goes through insert, put, update, delete and insert again, and is read after each of them. */
    @ParameterizedTest
    @MethodSource("protocols")
    void everyKeyKeepsItsValue(String protocol) {
        for (Kind<?> kind : KINDS) new Life<>(kind, protocol).run();
    }

    /** A transaction on rows with odd keys dies at each of its verbs: all of it has happened, or nothing. */
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
        System.out.println(protocol + " with odd keys: " + finished + " crash points happened, " + undone + " did not");
        assertTrue(finished > 0 && undone > 0, finished + " happened, " + undone + " did not");
    }

    private static SimFabric fabric(Simulation simulation) {
        CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
        return new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
    }

    private static Tidepool open(SimFabric fabric, String protocol) {
        var made = Protocols.named(protocol);
        return PoolAccess.open(
                fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, 256 * 1024, 4, 8 * 1024), made);
    }

    /** All operations on one table, from its first row on. */
    private static final class Life<T extends Record> {
        private final Kind<T> kind;
        private final String protocol;
        private final Map<Long, Long> expected = new TreeMap<>();
        private final List<TableLayout> tables = new ArrayList<>();
        private Tidepool pool;
        private Table<T> table;

        Life(Kind<T> kind, String protocol) {
            this.kind = kind;
            this.protocol = protocol;
        }

        void run() {
            try (Simulation simulation = new Simulation(1)) {
                SimFabric fabric = fabric(simulation);
                simulation.start(simulation.machine("one", 1), "one", () -> live(fabric));
                simulation.run();
                simulation.settle();
                for (TableLayout each : tables) QuietPool.check(fabric, each);
            }
        }

        private void live(SimFabric fabric) {
            pool = open(fabric, protocol);
            table = pool.table("rows", kind.type(), 1);
            tables.add(PoolAccess.layout(table.handle()));
            OddKeys keys = new OddKeys(PoolAccess.layout(table.handle()), PARTITIONS, 3);
            assertTrue(keys.own().size() >= 4, keys::toString);
            for (long key : keys.all()) {
                pool.transact(tx -> table.insert(tx, row(key, 1)));
                see(key, 1L);
            }
            for (long key : keys.own()) assertEquals(key, place(fabric, key));
            for (long key : keys.all())
                live(
                        key,
                        keys.own().getFirst() == key
                                ? keys.own().getLast()
                                : keys.own().getFirst());
            byWorker(keys);
            for (long key : keys.all()) see(key, expected.get(key));
            words();
            pool.close();
        }

        /** Keys and values in a table that has room for all words, the pointers to its own objects among them. */
        private void words() {
            table = pool.table("words", kind.type(), 200);
            tables.add(PoolAccess.layout(table.handle()));
            Set<Long> distinct = new LinkedHashSet<>();
            for (TableLayout each : tables) distinct.addAll(OddKeys.words(each, PARTITIONS));
            List<Long> words = List.copyOf(distinct);
            assertTrue(words.size() > 50, words.size() + " words");
            expected.clear();
            for (int i = 0; i < words.size(); i++) {
                long key = words.get(i);
                pool.transact(tx -> table.insert(tx, row(key, key)));
                see(key, shown(key));
            }
            for (int i = 0; i < words.size(); i++) {
                long key = words.get(i);
                long other = words.get((i + 1) % words.size());
                pool.transact(tx -> table.put(tx, row(key, other)));
                see(key, shown(other));
                pool.transact(tx -> table.delete(tx, key));
                see(key, null);
                pool.transact(tx -> table.insert(tx, row(key, ~key)));
                see(key, shown(~key));
            }
            for (long key : words) see(key, expected.get(key));
        }

        /** Returns the value as rows of this kind store it. */
        private long shown(long value) {
            return kind.value().apply(row(0, value));
        }

        /** @param other the key of another row, which a transaction that writes this one reads */
        private void live(long key, long other) {
            pool.transact(tx -> table.put(tx, row(key, 2)));
            see(key, 2L);
            for (long value = 3; value <= 4; value++) {
                long next = value;
                pool.transact(tx -> {
                    Cell<T> cell = table.update(tx, key);
                    assertEquals(next - 1, kind.value().apply(cell.get()));
                    cell.set(row(key, next));
                });
                see(key, next);
            }
            pool.transact(tx -> table.delete(tx, key));
            see(key, null);
            pool.transact(tx -> {
                table.insert(tx, row(key, 5));
                assertEquals(
                        expected.get(other), kind.value().apply(table.get(tx, other)), () -> "read with key " + key);
            });
            see(key, 5L);
        }

        /** Writes all rows of a chain at once, and each alone, by fields. */
        private void byWorker(OddKeys keys) {
            if (kind.type() != One.class) return;
            TableLayout layout = PoolAccess.layout(table.handle());
            LongField field = layout.schema().longField("value");
            try (Worker worker = pool.worker()) {
                for (long key : keys.all())
                    assertTrue(worker.transact(txn -> {
                        int access = txn.update(layout, key);
                        int other = txn.update(layout, keys.own().getFirst());
                        if (!txn.execute()) return false;
                        field.set(txn.memory(), txn.value(access), field.get(txn.memory(), txn.value(access)) + 1);
                        if (key != keys.own().getFirst())
                            field.set(txn.memory(), txn.value(other), field.get(txn.memory(), txn.value(other)) + 1);
                        return true;
                    }));
            }
            for (long key : keys.all()) expected.put(key, 6L);
            expected.put(keys.own().getFirst(), 5L + keys.all().size());
        }

        private T row(long key, long value) {
            return kind.maker().row(key, value);
        }

        private void see(long key, Long value) {
            if (value != null) expected.put(key, value);
            T row = pool.read(tx -> table.get(tx, key));
            assertEquals(value, row == null ? null : kind.value().apply(row), () -> "key " + key + " of " + protocol);
        }

        /** Returns the pointer to the row of a key. */
        private long place(SimFabric fabric, long key) {
            return RowPlace.of(new PoolView(fabric), PoolAccess.layout(table.handle()), key);
        }
    }

    /** One transaction that updates, deletes, inserts and reads rows with odd keys, and dies. */
    private static final class Crash {
        private final String protocol;
        private final Simulation simulation;
        private TableLayout layout;
        private long updated;
        private long deleted;
        private long inserted;
        private long read;
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
                SimFabric fabric = fabric(simulation);
                start("loader", () -> load(fabric));
                simulation.run();
                simulation.crashMachineOf("victim", verb, When.AFTER);
                Machine dying = start("opener", () -> die(fabric));
                start("watcher", () -> {
                    Tidepool pool = open(fabric, protocol);
                    open = true;
                    while (!dying.isDead() && !over) Waiting.pause(1_000);
                    finish(fabric, pool);
                });
                simulation.run();
                simulation.settle();
                if (!dying.isDead()) return null;
                QuietPool.check(fabric, layout);
                return happened;
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Table<One> table(Tidepool pool) {
            return pool.table("rows", One.class, 1);
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric, protocol);
            Table<One> table = table(pool);
            layout = PoolAccess.layout(table.handle());
            OddKeys keys = new OddKeys(layout, PARTITIONS, 1);
            updated = keys.own().getFirst();
            deleted = keys.own().getLast();
            inserted = layout.overflowCount(0);
            List<Long> loaded = keys.all().subList(0, PARTITIONS * layout.slots());
            read = loaded.stream()
                    .filter(key -> key != updated && key != deleted)
                    .findFirst()
                    .orElseThrow();
            for (int i = 0; i < loaded.size(); i += layout.slots()) {
                List<Long> some = loaded.subList(i, i + layout.slots());
                pool.transact(tx -> some.forEach(key -> table.insert(tx, new One(key, 1))));
            }
            pool.close();
            assertEquals(updated, RowPlace.of(new PoolView(fabric), layout, updated));
            assertEquals(deleted, RowPlace.of(new PoolView(fabric), layout, deleted));
        }

        private void die(SimFabric fabric) {
            Tidepool pool = open(fabric, protocol);
            Table<One> table = table(pool);
            pool.read(tx -> table.get(tx, 0));
            while (!open) Waiting.pause(1_000);
            simulation.start(
                    simulation.machine("opener", 1),
                    "victim",
                    () -> pool.transact(tx -> {
                        Cell<One> row = table.update(tx, updated);
                        table.delete(tx, deleted);
                        table.insert(tx, new One(inserted, 2));
                        table.get(tx, read);
                        row.set(new One(updated, 2));
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
            Table<One> table = table(pool);
            List<One> rows = pool.read(tx -> table.getAll(tx, updated, deleted, inserted));
            happened = rows.get(0).value() == 2;
            assertEquals(happened, rows.get(1) == null, "the deleted row");
            assertEquals(happened, rows.get(2) != null, "the inserted row");
            // A repaired row can be written again.
            for (long key : List.of(updated, deleted, inserted, read)) {
                pool.transact(tx -> table.put(tx, new One(key, 9)));
                assertEquals(9, pool.read(tx -> table.get(tx, key)).value());
            }
            pool.close();
        }
    }
}
