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

    /** A change with record classes of both versions. */
    private interface Change<O extends Record, N extends Record> {
        SchemaChange steps();

        Class<O> before();

        Class<N> after();

        /** Returns what the writer writes. */
        O row(long id, int value);

        /** Returns what the loader writes, with the value 1. */
        O loaded(long id);

        int value(O row);

        long key(Record row);

        /** Checks a row by the class of after against one of before. */
        void compare(O expected, N found);
    }

    public record Old(
            @Key long id,
            int value,
            @Length(6) String name,
            int gone,
            @Length(1000) String text,
            @Length(1000) String lost) {}

    public record New(
            @Key long id,
            long value,
            @Length(12) String name,
            long more,
            @Length(1000) String text) {}

    /** Rows with long contents, of which one is dropped. */
    private static final class Dropping implements Change<Old, New> {
        @Override
        public SchemaChange steps() {
            return new SchemaChange()
                    .widen("value", AttributeType.LONG)
                    .widen("name", AttributeType.string(12))
                    .drop("gone", "7")
                    .drop("lost", "")
                    .add("more", AttributeType.LONG, "-1");
        }

        @Override
        public Class<Old> before() {
            return Old.class;
        }

        @Override
        public Class<New> after() {
            return New.class;
        }

        /** The text lies in its slot or in parts. */
        @Override
        public Old row(long id, int value) {
            return new Old(id, value, "n" + id, 7, (id + "." + value + " ").repeat(id % 3 == 0 ? 90 : 5), "");
        }

        /** The loader fills the attribute that is dropped, in parts. */
        @Override
        public Old loaded(long id) {
            Old row = row(id, 1);
            return new Old(id, 1, row.name, row.gone, row.text, ("lost " + id + " ").repeat(id % 2 == 0 ? 30 : 1));
        }

        @Override
        public int value(Old row) {
            return row.value;
        }

        @Override
        public long key(Record row) {
            return row instanceof Old old ? old.id : ((New) row).id;
        }

        @Override
        public void compare(Old expected, New found) {
            assertEquals(-1, found.more);
            assertEquals(expected.value, found.value);
            assertEquals(expected.text, found.text);
        }
    }

    public record Brief(
            @Key long id, int value, @Length(200) String text, int gone) {}

    public record Longer(
            @Key long id, int value, @Length(1000) String text, long more) {}

    /** Texts with room in the row, most of which become parts. The change makes the tables of parts. */
    private static final class Lengthening implements Change<Brief, Longer> {
        @Override
        public SchemaChange steps() {
            return new SchemaChange()
                    .widen("text", AttributeType.longstring(1000))
                    .drop("gone", "7")
                    .add("more", AttributeType.LONG, "-1");
        }

        @Override
        public Class<Brief> before() {
            return Brief.class;
        }

        @Override
        public Class<Longer> after() {
            return Longer.class;
        }

        @Override
        public Brief row(long id, int value) {
            return new Brief(id, value, (id + "." + value + " ").repeat(id % 3 == 0 ? 3 : 32), 7);
        }

        @Override
        public Brief loaded(long id) {
            return row(id, 1);
        }

        @Override
        public int value(Brief row) {
            return row.value;
        }

        @Override
        public long key(Record row) {
            return row instanceof Brief brief ? brief.id : ((Longer) row).id;
        }

        @Override
        public void compare(Brief expected, Longer found) {
            assertEquals(-1, found.more);
            assertEquals(expected.value, found.value);
            assertEquals(expected.text, found.text);
        }
    }

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
        play(protocol, new Dropping(), protocol.equals("ford") ? Effort.of(41, 23, 1) : Effort.of(127, 89, 1));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void textsBecomePartsWhollyOrNotAtAll(String protocol) {
        play(protocol, new Lengthening(), protocol.equals("ford") ? Effort.of(61, 37, 1) : Effort.of(191, 139, 1));
    }

    private static void play(String protocol, Change<?, ?> change, int step) {
        int before = 0;
        int between = 0;
        int after = 0;
        int resumed = 0;
        for (long verb = 0; ; verb += step) {
            Scene<?, ?> scene = new Scene<>(protocol, change, 1 + verb);
            if (!scene.run(verb)) break;
            if (scene.isMoving) between++;
            else if (scene.changed) after++;
            else before++;
            if (scene.isMovingOn) resumed++;
        }
        String counts = before + " before, " + between + " between, " + after + " after, " + resumed + " resumed";
        assertTrue(before > 0 && between > 0 && resumed > 0, counts);
    }

    private static final class Scene<O extends Record, N extends Record> {
        private final String protocol;
        private final Change<O, N> change;
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

        Scene(String protocol, Change<O, N> change, long seed) {
            this.protocol = protocol;
            this.change = change;
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
            Table<O> table = pool.table("table", change.before(), 2 * KEYS);
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) table.put(tx, change.loaded(key));
            });
            Arrays.fill(written, 1);
            pool.close();
        }

        private void die() {
            alter("opener", "victim", change.steps());
            over = true;
        }

        /** Changes the table on a strand of its own, so that its verbs are counted alone. */
        private void alter(String machine, String strand, SchemaChange steps) {
            Tidepool pool = open();
            pool.table("table");
            while (!begun) Waiting.pause(1_000);
            simulation.start(simulation.machine(machine, 1), strand, () -> pool.alter("table", steps));
            while (simulation.strand(strand) == null
                    || !simulation.strand(strand).isDone()) Waiting.pause(5_000);
            pool.close();
        }

        /** Writes while the table is changed, by a table and a class of before. */
        private void write() {
            Tidepool pool = open();
            Table<O> table = pool.table("table", change.before());
            begun = true;
            for (int i = 0; i < 60; i++) {
                int key = 5 * i % KEYS;
                pool.transact(tx -> {
                    Cell<O> cell = table.update(tx, key);
                    assertEquals(written[key], change.value(cell.get()), "a lost write");
                    cell.set(change.row(key, written[key] + 1));
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
            pool.alter("table", isChanged ? new SchemaChange() : change.steps());
            changed = true;
            assertRows(pool.table("table", change.before()));
            changed = wasChanged;
            Table<N> now = pool.table("table", change.after());
            for (N row : now.pages(5)) {
                long key = change.key(row);
                change.compare(change.row(key, written[(int) key]), row);
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
            assertRows(pool.table("table", change.before()));
        }

        /** A second process goes on with the change, or makes it, and dies at one of its verbs. */
        private void dieAgain() {
            simulation.crashMachineOf("resumer", seed * 7 % 160, seed % 3 == 0 ? When.AFTER : When.BEFORE);
            boolean[] done = new boolean[1];
            SchemaChange rest = changed ? new SchemaChange() : change.steps();
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

        private void assertRows(Table<O> old) {
            boolean[] seen = new boolean[KEYS];
            for (O row : old.pages(5)) {
                int key = (int) change.key(row);
                boolean isLoaded = !changed && written[key] == 1;
                assertEquals(isLoaded ? change.loaded(key) : change.row(key, written[key]), row);
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
