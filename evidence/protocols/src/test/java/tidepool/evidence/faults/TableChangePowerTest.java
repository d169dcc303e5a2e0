package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checksum64;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.PoolView;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.SchemaChange;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * The power of all nodes fails at verbs of a change of a table or of a pool, next to a process that writes. After the
 * repair, the change has happened or not; every row that was reported is there once; the repair is persistent; the
 * change can be made or finished; and memory that is free stays zero when the power fails again.
 */
class TableChangePowerTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;
    private static final int KEYS = 8;

    /** Rows of the table that changes: more than one transaction moves. */
    private static final int ROWS = 40;

    private static final long SMALL = 64 * 1024;
    private static final long LARGE = 128 * 1024;
    private static final long PACE_NANOS = 20_000;

    private static final SchemaChange CHANGE = new SchemaChange()
            .widen("value", AttributeType.LONG)
            .drop("gone", "7")
            .add("more", AttributeType.LONG, "-1");

    enum Change {
        ALTER,
        DROP,
        GROW
    }

    /** What the repair has found. */
    private enum Found {
        BEFORE,
        /** Some rows have the former layout. */
        BETWEEN,
        AFTER
    }

    public record Row(@Key long id, long value) {}

    public record Old(@Key long id, int value, int gone) {}

    public record New(@Key long id, long value, long more) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static Stream<Arguments> changes() {
        return Arrays.stream(Change.values()).flatMap(change -> Stream.of("ford?flush=selective", "ford?flush=full")
                .map(protocol -> Arguments.of(change, protocol)));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changeOutlivesALossOfPower(Change change, String protocol) {
        everyVerb(change, protocol, PowerPointsTest.EVICTING, PowerPointsTest.KEEPING);
    }

    /** Of the writes that were not flushed each node has kept a prefix of its own length. */
    @ParameterizedTest
    @MethodSource("changes")
    void changeOutlivesALossOfPowerWhereNodesKeepJournals(Change change, String protocol) {
        everyVerb(change, protocol, PowerPointsTest.JOURNALS, PowerPointsTest.JOURNALS);
    }

    private static void everyVerb(Change change, String protocol, Adversary even, Adversary odd) {
        int step = change == Change.ALTER ? Effort.of(293, 149, 1) : Effort.of(37, 11, 1);
        int[] found = new int[Found.values().length];
        for (long verb = 0; ; verb += step) {
            Scene scene = new Scene(change, protocol, 1 + verb, verb % 2 == 0 ? even : odd);
            if (!scene.run(verb, verb % 3 == 0 ? When.BEFORE : When.AFTER)) break;
            found[scene.found.ordinal()]++;
        }
        // Of the verbs that move rows only the last few find all of them moved.
        List<Found> expected = List.of(Found.BEFORE, change == Change.ALTER ? Found.BETWEEN : Found.AFTER);
        for (Found each : expected)
            assertTrue(found[each.ordinal()] > 0, change + " " + protocol + ": never found " + each);
    }

    private static final class Scene {
        private final Change change;
        private final String protocol;
        private final Simulation simulation;
        private final SimFabric fabric;
        private final List<Machine> machines = new ArrayList<>();
        private final int[] kept = new int[KEYS];
        private final int[] rows = new int[ROWS];
        private int asked = -1; // the number of a row of both tables that is being written
        private boolean begun;
        private boolean over;
        private Found found;
        private long image;

        Scene(Change change, String protocol, long seed, Adversary adversary) {
            this.change = change;
            this.protocol = protocol;
            simulation = new Simulation(seed);
            CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(50_000_000);
            fabric = new SimFabric(simulation, REPLICAS, costs, adversary);
        }

        /** Returns false if the victim ended before its verb. */
        boolean run(long verb, When when) {
            try (simulation) {
                start("loader", this::load);
                simulation.run();
                simulation.crashMachineOf("victim", verb, when);
                Machine dying = start("opener", this::die);
                start("writer", this::write);
                start("watcher", () -> {
                    while (!dying.isDead() && !over) Waiting.pause(100);
                    Waiting.pause(1 + verb * 37 % 3_000); // verbs that were sent travel for a moment
                    cutPower("watcher");
                });
                simulation.run();
                if (over || !dying.isDead()) return false;
                start("last", () -> repaired(true));
                simulation.run();
                cutPower("");
                if (image != image()) throw new ClusterFailure("what was repaired was not persistent");
                start("very last", () -> repaired(false));
                simulation.run();
                simulation.settle();
                cutPower("");
                checkFreeMemory();
                return true;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        change + " " + protocol + " verb=" + verb + " " + when + CrashPlaces.of(simulation, "victim")
                                + ": " + e.getMessage(),
                        e);
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 2);
            if (!machines.contains(machine)) machines.add(machine);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open() {
            Protocol made = Protocols.named(protocol);
            return PoolAccess.open(
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, SMALL, 4, 16 * 1024), made);
        }

        /** Does not return to a strand: its machine has no power either. */
        private void cutPower(String by) {
            Machine own = null;
            for (Machine machine : machines)
                if (machine.name().equals(by)) own = machine;
                else machine.crash();
            for (int node = 0; node < fabric.nodes(); node++) fabric.failPower(node);
            for (int node = 0; node < fabric.nodes(); node++) fabric.restartNode(node);
            if (own != null) own.crash();
        }

        private void load() {
            Tidepool pool = open();
            Table<Row> other = pool.table("kept", Row.class, 10);
            Table<Old> table = pool.table("table", Old.class, 100);
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) other.put(tx, new Row(key, 0));
            });
            pool.transact(tx -> {
                for (long key = 0; key < ROWS; key++) table.put(tx, new Old(key, 0, 7));
            });
            pool.close();
        }

        private void die() {
            Tidepool pool = open();
            pool.table("table", Old.class);
            while (!begun) Waiting.pause(1_000);
            simulation.start(simulation.machine("opener", 2), "victim", () -> {
                switch (change) {
                    case ALTER -> pool.alter("table", CHANGE);
                    case DROP -> pool.drop("table");
                    case GROW -> pool.grow(LARGE);
                }
                Waiting.pause(10_000); // background rounds end
                over = true;
            });
        }

        /** Writes until there is no power, by a record of before; also rows that move. */
        private void write() {
            Tidepool pool = open();
            Table<Row> other = pool.table("kept", Row.class);
            Table<Old> table = pool.table("table", Old.class);
            begun = true;
            for (int i = 0; !over; i++) {
                asked = 7 * i % ROWS;
                pool.transact(tx -> {
                    Cell<Row> cell = other.update(tx, asked % KEYS);
                    cell.set(new Row(asked % KEYS, cell.get().value() + 1));
                    if (change == Change.DROP) return;
                    table.update(tx, asked).set(new Old(asked, rows[asked] + 1, 7));
                });
                count();
                Waiting.pause(PACE_NANOS); // otherwise it meets each transaction that moves rows
            }
        }

        /** The row that was being written was written. */
        private void count() {
            kept[asked % KEYS]++;
            if (change != Change.DROP) rows[asked]++;
            asked = -1;
        }

        private void repaired(boolean first) {
            Tidepool pool = open();
            Table<Row> other = pool.table("kept", Row.class);
            if (first && asked >= 0) {
                int key = asked % KEYS;
                if (pool.read(tx -> other.get(tx, key)).value() > kept[key]) count();
            }
            for (int key = 0; key < KEYS; key++) {
                int id = key;
                assertEquals(kept[id], pool.read(tx -> other.get(tx, id)).value(), "kept " + id);
            }
            Found now = find(pool);
            if (first) {
                found = now;
                image = image();
            } else {
                assertEquals(found, now, "after the second loss of power");
                goOn(pool);
                for (TableHandle each : pool.tables()) pool.drop(each.name());
            }
            pool.close();
        }

        private Found find(Tidepool pool) {
            List<String> names =
                    pool.tables().stream().map(TableHandle::name).sorted().toList();
            if (change == Change.DROP && names.equals(List.of("kept"))) return Found.AFTER;
            assertEquals(List.of("kept", "table"), names);
            assertRows(pool);
            long memory = PoolAccess.memory(pool);
            PoolRegionsCheck.check(fabric, null, memory);
            assertTrue(memory == SMALL || memory == LARGE && change == Change.GROW, "memory=" + memory);
            TableLayout table = PoolAccess.layout(pool.table("table"));
            if (table.before() != null) return Found.BETWEEN;
            return memory == LARGE || !table.schema().dropped().isEmpty() ? Found.AFTER : Found.BEFORE;
        }

        private void assertRows(Tidepool pool) {
            Table<Old> table = pool.table("table", Old.class);
            boolean[] seen = new boolean[ROWS];
            for (Old row : table.pages(10)) {
                int id = (int) row.id();
                assertEquals(new Old(id, rows[id], 7), row);
                assertFalse(seen[id], "a row comes twice");
                seen[id] = true;
                assertEquals(row, pool.read(tx -> table.get(tx, id)));
            }
            for (boolean each : seen) assertTrue(each, "a row is lost");
        }

        private void goOn(Tidepool pool) {
            switch (change) {
                case ALTER -> {
                    pool.alter("table", found == Found.BEFORE ? CHANGE : new SchemaChange());
                    assertRows(pool);
                    assertNull(PoolAccess.layout(pool.table("table")).before(), "all rows have moved");
                    for (New row : pool.table("table", New.class).pages(10)) assertEquals(-1, row.more());
                }
                case DROP -> {
                    if (found == Found.BEFORE) pool.drop("table");
                }
                case GROW -> {
                    pool.grow(LARGE);
                    assertRows(pool);
                    PoolRegionsCheck.check(fabric, null, LARGE);
                }
            }
            Table<Old> next = pool.table("next", Old.class, 100);
            for (long key = 0; key < ROWS; key++) {
                Old row = new Old(key, 3, 4);
                assertNull(pool.read(tx -> next.get(tx, row.id())), "memory that was not zero");
                pool.transact(tx -> next.put(tx, row));
            }
            assertEquals(ROWS, next.stream().count());
        }

        /** Returns a hash of all bytes of all copies. */
        private long image() {
            long sum = 0;
            for (MemorySegment each : copies()) sum = sum * 31 + Checksum64.of(each, 0, each.byteSize(), 1);
            return sum;
        }

        /** All tables are dropped: every byte of every copy has to be zero. */
        private void checkFreeMemory() {
            for (MemorySegment each : copies())
                for (long at = 0; at < each.byteSize(); at += Words.BYTES)
                    assertEquals(0, Words.plain(each, at), "a byte of free memory at " + at);
        }

        private List<MemorySegment> copies() {
            PoolView view = new PoolView(fabric);
            List<MemorySegment> copies = new ArrayList<>();
            for (int p = 0; p < PARTITIONS; p++)
                for (int copy = 0; copy < REPLICAS; copy++) copies.add(view.replica(Pointer.of(p, 0), copy));
            return copies;
        }
    }
}
