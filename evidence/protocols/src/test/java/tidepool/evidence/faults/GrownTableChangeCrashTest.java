package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.clusters.PoolView;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Ordered;
import tidepool.schema.Schema;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.CatalogImageReader;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.RowAudit;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * A process dies at verbs of a change of a table that has grown, that has an index, and whose long contents lie in
 * parts: its memory is several areas and three hidden tables. Afterwards the change has happened or not, wholly, with
 * all hidden tables; every part belongs to one row; the table goes on growing; and the memory of all areas is zero in
 * all copies once the table is dropped.
 */
class GrownTableChangeCrashTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;
    private static final long MEMORY = 768 * 1024;

    /** Rows of which the writer changes some again and again. */
    private static final int WRITTEN = 4;

    /** From here on the rows are not written again. */
    private static final long UNTOUCHED = 1_000;

    /** The changes. */
    enum Change {
        DROP,
        TRUNCATE,
        RENAME,
        ALTER
    }

    /** A colour. */
    enum Colour {
        BLUE,
        RED
    }

    /** The colours of the altered table. */
    enum MoreColours {
        BLUE,
        RED,
        YELLOW
    }

    @Ordered
    public record Note(@Key long id, Colour colour, String text) {
        static Note of(long id) {
            return new Note(id, Colour.RED, textOf(id));
        }
    }

    /** The row of the altered table: other names, and one more constant. */
    @Ordered
    public record Paper(@Key long id, MoreColours paint, String body) {}

    public record Large(@Key long id, long value) {}

    /** Returns a text of which every tenth lies in parts. */
    private static String textOf(long id) {
        return (id + " ").repeat(id % 10 == 0 ? 300 : 3);
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void changeHappensWhollyOrNotAtAll(String protocol) {
        boolean first = protocol.equals("ford");
        int rows = new Scene(protocol, Change.DROP, 1, 0).rowsUntilGrowth() + 10;
        // What a protocol of its own does here is the recovery of the sessions that are shut out.
        List<Change> few = Effort.current() == Effort.QUICK ? List.of(Change.DROP) : List.of(Change.DROP, Change.ALTER);
        boolean all = first || Effort.current() == Effort.NIGHT;
        for (Change change : all ? List.of(Change.values()) : few) {
            boolean cleans = change == Change.DROP || change == Change.TRUNCATE; // many verbs that write zeros
            int step = first ? Effort.of(17, 11, 1) : cleans ? Effort.of(37, 31, 1) : Effort.of(11, 11, 1);
            int before = 0;
            int after = 0;
            for (long verb = 0; ; verb += step) {
                Scene scene = new Scene(protocol, change, 1 + verb, rows);
                if (!scene.run(verb)) break;
                if (scene.changed) after++;
                else before++;
            }
            assertTrue(before > 0 && after > 0, change + ": " + before + " had not happened, " + after + " had");
        }
    }

    private static final class Scene {
        private final String protocol;
        private final Change change;
        private final Simulation simulation;
        private final long seed;
        private final int rows;
        private SimFabric fabric;
        private List<TableLayout> layouts = List.of();
        private boolean changed;
        private boolean begun;
        private boolean over;

        Scene(String protocol, Change change, long seed, int rows) {
            this.protocol = protocol;
            this.change = change;
            this.seed = seed;
            this.rows = rows;
            this.simulation = new Simulation(seed);
        }

        /** Returns the number of rows with which the table has grown. */
        int rowsUntilGrowth() {
            try (simulation) {
                makeFabric();
                int[] count = new int[1];
                start("loader", () -> {
                    Tidepool pool = open();
                    Table<Note> notes = pool.table("table", Note.class, 1);
                    TableLayout layout = PoolAccess.layout(notes.handle());
                    while (!layout.hasGrown()) {
                        long id = UNTOUCHED + count[0]++;
                        pool.transact(tx -> notes.put(tx, Note.of(id)));
                    }
                    pool.close();
                });
                simulation.run();
                return count[0];
            }
        }

        /** Dies after a verb. Returns false if the victim ended before that verb. */
        boolean run(long verb) {
            try (simulation) {
                makeFabric();
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
                start("dropper", this::dropAll);
                simulation.run();
                simulation.settle();
                checkFreeMemory();
                return dying.isDead();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        protocol + " " + change + " verb=" + verb + CrashPlaces.of(simulation, "victim") + ": "
                                + e.getMessage(),
                        e);
            }
        }

        private void makeFabric() {
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
            fabric = new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open() {
            var made = Protocols.named(protocol);
            return PoolAccess.open(
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, MEMORY, 4, 64 * 1024), made);
        }

        private void load() {
            Tidepool pool = open();
            Table<Note> notes = pool.table("table", Note.class, 1);
            for (long i = 0; i < rows; i += 5) {
                long from = UNTOUCHED + i;
                pool.transact(tx -> {
                    for (long id = from; id < from + 5; id++) notes.put(tx, Note.of(id));
                });
            }
            pool.transact(tx -> {
                for (long id = 0; id < WRITTEN; id++) notes.put(tx, Note.of(id));
            });
            assertTrue(PoolAccess.layout(notes.handle()).hasGrown(), "it has grown");
            pool.close();
        }

        private long loaded() {
            return (rows + 4) / 5 * 5;
        }

        private void die() {
            Tidepool pool = open();
            pool.table("table", Note.class, 1);
            while (!begun) Waiting.pause(1_000);
            simulation.start(simulation.machine("opener", 1), "victim", () -> change(pool));
            while (simulation.strand("victim") == null
                    || !simulation.strand("victim").isDone()) Waiting.pause(5_000);
            pool.close();
            over = true;
        }

        private void change(Tidepool pool) {
            switch (change) {
                case DROP -> pool.drop("table");
                case TRUNCATE -> pool.truncate("table");
                case RENAME -> pool.rename("table", "renamed");
                case ALTER -> pool.alter("table", Schema.of("table", Paper.class));
            }
        }

        /** Replaces rows while the table is changed, one of them with parts, by a handle from before. */
        private void write() {
            Tidepool pool = open();
            Table<Note> notes = pool.table("table", Note.class, 1);
            begun = true;
            for (long i = 0; i < 24; i++) {
                long id = i % WRITTEN;
                try {
                    pool.transact(tx -> notes.put(tx, Note.of(id)));
                } catch (StoreException e) {
                    if (e.reason() != StoreException.Reason.UNKNOWN_TABLE) throw e;
                }
            }
            pool.close();
        }

        private void finish() {
            Tidepool pool = open();
            for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
                pool.recoverAll();
                Waiting.pause(5_000);
                if (tries > 1_000) throw new ClusterFailure("sessions are left and not recovered");
            }
            List<String> names = pool.tables().stream().map(TableHandle::name).toList();
            boolean renamed = names.contains("renamed");
            String name = renamed ? "renamed" : "table";
            boolean isThere = renamed || names.contains("table");
            boolean altered = isThere && pool.table(name).schema().equals(Schema.of(name, Paper.class));
            boolean emptied =
                    isThere && !altered && untouched(pool, name, false).isEmpty();
            changed = switch (change) {
                case DROP -> !isThere;
                case TRUNCATE -> emptied;
                case RENAME -> renamed;
                case ALTER -> altered;
            };
            assertTrue(isThere || change == Change.DROP, "the table is gone");
            assertTrue(!emptied || change == Change.TRUNCATE, "the table is empty");
            assertHidden(isThere ? List.of(name, name + ".index", name + ".parts", name + ".smallparts") : List.of());
            if (isThere) {
                if (!emptied)
                    assertEquals(loaded(), untouched(pool, name, altered).size());
                growOn(pool, name, altered);
            }
            pool.close();
        }

        /** Fails if other tables are there than these, hidden ones among them. */
        private void assertHidden(List<String> names) {
            CatalogImageReader catalog = CatalogImageReader.of(new PoolView(fabric).catalog());
            assertEquals(
                    names,
                    catalog.tables().stream().map(TableLayout::name).sorted().toList());
        }

        /** Returns the rows that were not written since the load. Fails if one is not whole. */
        private static TreeSet<Long> untouched(Tidepool pool, String name, boolean altered) {
            TreeSet<Long> ids = new TreeSet<>();
            if (altered) {
                pool.table(name, Paper.class).forEach(row -> {
                    assertEquals(new Paper(row.id, MoreColours.RED, textOf(row.id)), row);
                    if (row.id >= UNTOUCHED) assertTrue(ids.add(row.id), row.id + " is there twice");
                });
                return ids;
            }
            pool.table(name, Note.class).forEach(row -> {
                assertEquals(Note.of(row.id), row);
                if (row.id >= UNTOUCHED) assertTrue(ids.add(row.id), row.id + " is there twice");
            });
            return ids;
        }

        /** The table takes more rows than it has room for, of its schema, and no part is lost or left. */
        private void growOn(Tidepool pool, String name, boolean altered) {
            Table<Paper> papers = altered ? pool.table(name, Paper.class) : null;
            Table<Note> notes = altered ? null : pool.table(name, Note.class);
            for (long id = 5_000; id < 5_060; id++) {
                long key = id;
                pool.transact(tx -> {
                    if (altered) papers.put(tx, new Paper(key, MoreColours.YELLOW, textOf(key)));
                    else notes.put(tx, Note.of(key));
                });
            }
            TableHandle handle = altered ? papers.handle() : notes.handle();
            assertTrue(PoolAccess.layout(handle).hasGrown(), "it goes on growing");
            layouts = PoolAccess.layoutsWithParts(pool, handle);
            for (TableLayout each : layouts) PoolAccess.usage(pool, each, Long.MAX_VALUE); // learns all areas
        }

        private void checkParts() {
            if (layouts.isEmpty()) return;
            RowAudit audit = new RowAudit();
            for (TableLayout each : layouts) {
                PoolCheck check = new PoolCheck(fabric, each, false);
                check.check();
                check.audit(audit);
            }
            assertEquals(List.of(), audit.problems());
            assertTrue(audit.parts() > 0, "no content lies in parts");
        }

        /** Drops what is left. A table that needs nearly all memory makes sure that none is still to be cleaned. */
        private void dropAll() {
            Tidepool pool = open();
            for (TableHandle each : pool.tables()) pool.drop(each.name());
            assertTrue(pool.tables().isEmpty());
            for (long most = MEMORY; ; most -= most / 8) {
                try {
                    pool.table("next", Large.class, most);
                    break;
                } catch (StoreException e) {
                    if (e.reason() != StoreException.Reason.FULL) throw e;
                }
            }
            pool.drop("next");
            pool.close();
        }

        /** All tables are dropped: every byte of every copy has to be zero, and so has every lock. */
        private void checkFreeMemory() {
            PoolView view = new PoolView(fabric);
            for (int p = 0; p < PARTITIONS; p++)
                for (int copy = 0; copy < REPLICAS; copy++) {
                    MemorySegment memory = view.replica(Pointer.of(p, 0), copy);
                    for (long at = 0; at < memory.byteSize(); at += Words.BYTES)
                        if (Words.plain(memory, at) != 0)
                            throw new AssertionError("not zero: partition " + p + " copy " + copy + " at " + at);
                }
        }
    }
}
