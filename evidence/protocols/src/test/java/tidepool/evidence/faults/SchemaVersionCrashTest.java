package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.clusters.PoolView;
import tidepool.protocol.Protocols;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.SchemaChange;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/**
 * A process dies at each verb of a change that moves rows to another layout, next to a process whose record class is
 * that of before. Afterwards the change has happened or not, wholly. Every row is there once, with what was committed
 * last. A second process goes on with the change, or makes it, and dies too. A third one finishes it. Then every part
 * of a long content belongs to one row, those of the dropped attribute are gone, and memory is used again.
 */
class SchemaVersionCrashTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;
    private static final int KEYS = 12;
    private static final long MEMORY = 384 * 1024;

    public record Old(
            @Key long id,
            int value,
            @Length(6) String name,
            int gone,
            @Length(1000) String text,
            @Length(1000) String lost) {
        /** The text lies in its slot or in parts. */
        static Old of(long id, int value) {
            return new Old(id, value, "n" + id, 7, (id + "." + value + " ").repeat(id % 3 == 0 ? 90 : 5), "");
        }

        /** The loader fills the attribute that is dropped, in parts. */
        static Old loaded(long id) {
            Old row = of(id, 1);
            return new Old(id, 1, row.name, row.gone, row.text, ("lost " + id + " ").repeat(id % 2 == 0 ? 30 : 1));
        }
    }

    public record New(
            @Key long id,
            long value,
            @Length(12) String name,
            long more,
            @Length(1000) String text) {}

    private static final SchemaChange CHANGE = new SchemaChange()
            .widen("value", AttributeType.LONG)
            .widen("name", AttributeType.string(12))
            .drop("gone", "7")
            .drop("lost", "")
            .add("more", AttributeType.LONG, "-1");

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    /** FORD-LV has the form in which several sessions write one table. */
    static List<String> protocols() {
        return AnyKeyTest.protocols().stream()
                .map(each -> each.startsWith("ford-lv") ? each + "&vcache=global" : each)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void changeHappensWhollyOrNotAtAllAndRowsArriveOnce(String protocol) {
        int step = protocol.equals("ford") ? Effort.of(41, 23, 1) : Effort.of(127, 89, 1);
        int before = 0;
        int between = 0;
        int after = 0;
        int resumed = 0;
        for (long verb = 0; ; verb += step) {
            Scene scene = new Scene(protocol, 1 + verb);
            if (!scene.run(verb)) break;
            if (scene.isMoving) between++;
            else if (scene.changed) after++;
            else before++;
            if (scene.isMovingOn) resumed++;
        }
        String counts = before + " before, " + between + " between, " + after + " after, " + resumed + " resumed";
        assertTrue(before > 0 && between > 0 && resumed > 0, counts);
    }

    private static final class Scene {
        private final String protocol;
        private final Simulation simulation;
        private final long seed;
        private SimFabric fabric;
        private boolean changed;
        private boolean isMoving;
        private boolean isMovingOn; // after the death of the second process
        private boolean begun;
        private boolean over;
        private final int[] written = new int[KEYS];
        private List<TableLayout> layouts;

        Scene(String protocol, long seed) {
            this.protocol = protocol;
            this.seed = seed;
            this.simulation = new Simulation(seed);
        }

        /** Dies after a verb. Returns false if the victim ended before that verb. */
        boolean run(long verb) {
            try (simulation) {
                CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
                fabric = new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
                start("loader", this::load);
                simulation.run();
                simulation.crashMachineOf("victim", verb, seed % 2 == 0 ? When.AFTER : When.BEFORE);
                Machine dying = start("opener", this::die);
                start("writer", () -> {
                    write();
                    while (!dying.isDead() && !over) Waiting.pause(1_000);
                    finish();
                });
                simulation.run();
                simulation.settle();
                checkParts();
                start("dropper", this::drop);
                simulation.run();
                simulation.settle();
                checkFreeMemory();
                return dying.isDead();
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

        private Tidepool open() {
            var made = Protocols.named(protocol);
            return PoolAccess.open(
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, MEMORY, 4, 16 * 1024), made);
        }

        private void load() {
            Tidepool pool = open();
            Table<Old> table = pool.table("table", Old.class, 2 * KEYS);
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) table.put(tx, Old.loaded(key));
            });
            Arrays.fill(written, 1);
            pool.close();
        }

        private void die() {
            alter("opener", "victim", CHANGE);
            over = true;
        }

        /** Changes the table on a strand of its own, so that its verbs are counted alone. */
        private void alter(String machine, String strand, SchemaChange change) {
            Tidepool pool = open();
            pool.table("table");
            while (!begun) Waiting.pause(1_000);
            simulation.start(simulation.machine(machine, 1), strand, () -> pool.alter("table", change));
            while (simulation.strand(strand) == null
                    || !simulation.strand(strand).isDone()) Waiting.pause(5_000);
            pool.close();
        }

        /** Writes while the table is changed, by a table and a class of before. */
        private void write() {
            Tidepool pool = open();
            Table<Old> table = pool.table("table", Old.class);
            begun = true;
            for (int i = 0; i < 60; i++) {
                int key = 5 * i % KEYS;
                pool.transact(tx -> {
                    Cell<Old> cell = table.update(tx, key);
                    assertEquals(written[key], cell.get().value(), "a lost write");
                    cell.set(Old.of(key, written[key] + 1));
                });
                written[key]++;
            }
            pool.close();
        }

        private void finish() {
            Tidepool pool = open();
            look(pool);
            boolean wasMoving = isMoving;
            boolean wasChanged = changed;
            pool.close();
            dieAgain();
            pool = open(); // an iteration of a pool that knew the table as it was would be refused
            look(pool);
            isMovingOn = isMoving;
            boolean isChanged = changed;
            isMoving = wasMoving;
            changed = wasChanged;
            // The next process finishes the change, or makes it.
            pool.alter("table", isChanged ? new SchemaChange() : CHANGE);
            changed = true;
            assertRows(pool.table("table", Old.class));
            changed = wasChanged;
            Table<New> now = pool.table("table", New.class);
            for (New row : now.pages(5)) {
                assertEquals(-1, row.more());
                assertEquals(written[(int) row.id()], row.value());
                assertEquals(Old.of(row.id(), written[(int) row.id()]).text(), row.text());
            }
            assertEquals(1, pool.tables().size());
            assertNull(PoolAccess.layout(pool.table("table")).before());
            layouts = PoolAccess.layoutsWithParts(pool, now.handle());
            pool.close();
        }

        /** Recovers what a dead process left, and looks how far the change has come. */
        private void look(Tidepool pool) {
            for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
                pool.recoverAll();
                Waiting.pause(5_000);
                if (tries > 1_000) throw new ClusterFailure("sessions are left and not recovered");
            }
            TableLayout found = PoolAccess.layout(pool.table("table"));
            changed = !found.schema().dropped().isEmpty();
            isMoving = found.before() != null;
            assertRows(pool.table("table", Old.class));
        }

        /** A second process goes on with the change, or makes it, and dies at one of its verbs. */
        private void dieAgain() {
            simulation.crashMachineOf("resumer", seed * 7 % 160, seed % 3 == 0 ? When.AFTER : When.BEFORE);
            boolean[] done = new boolean[1];
            SchemaChange rest = changed ? new SchemaChange() : CHANGE;
            Machine successor = start("successor", () -> {
                alter("successor", "resumer", rest);
                done[0] = true;
            });
            while (!successor.isDead() && !done[0]) Waiting.pause(5_000);
        }

        private void drop() {
            Tidepool pool = open();
            pool.drop("table");
            pool.close();
        }

        private void assertRows(Table<Old> old) {
            boolean[] seen = new boolean[KEYS];
            for (Old row : old.pages(5)) {
                int key = (int) row.id();
                boolean isLoaded = !changed && written[key] == 1;
                assertEquals(isLoaded ? Old.loaded(key) : Old.of(key, written[key]), row);
                assertFalse(seen[key], "a row comes twice");
                seen[key] = true;
            }
            for (boolean each : seen) assertTrue(each, "a row is lost");
        }

        /** Every part of a long content belongs to one row, in all copies. */
        private void checkParts() {
            RowAudit audit = new RowAudit();
            for (TableLayout each : layouts) {
                PoolCheck check = new PoolCheck(fabric, each, false);
                check.check();
                check.audit(audit);
            }
            assertEquals(List.of(), audit.problems());
            assertTrue(audit.parts() > 0, "no content lies in parts");
        }

        /** All tables are dropped: every byte of every copy has to be zero, and so has every lock. */
        private void checkFreeMemory() {
            PoolView view = new PoolView(fabric);
            for (int p = 0; p < PARTITIONS; p++)
                for (int copy = 0; copy < REPLICAS; copy++) {
                    MemorySegment memory = view.replica(Pointer.of(p, 0), copy);
                    for (long at = 0; at < memory.byteSize(); at += Words.BYTES)
                        assertEquals(0, Words.plain(memory, at), "partition " + p + " copy " + copy + " at " + at);
                }
        }
    }
}
