package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
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
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/**
 * A process dies at each verb, or each few, of a transaction that replaces a long value, deletes one and inserts one.
 * Another process reads the rows all the time. It sees all of the old values or all of the new ones, and after the
 * recovery every part belongs to one row, in all copies.
 */
class LongValueCrashTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;

    /** A row with a text that lies in parts. */
    public record Note(@Key long id, int version, String text) {
        static Note of(long id, int version) {
            return new Note(id, version, (id + "." + version + " ").repeat(id == 1 ? 1_000 : 160));
        }
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
    void allOfItHappensOrNothing(String protocol) {
        int finished = 0;
        int undone = 0;
        int step = Effort.of(11, 5, 1);
        for (long verb = 0; ; verb += step) {
            Crash crash = new Crash(protocol, 1 + verb);
            if (!crash.run(verb)) break;
            if (crash.happened) finished++;
            else undone++;
        }
        assertTrue(finished > 0 && undone > 0, finished + " happened, " + undone + " did not");
    }

    private static final class Crash {
        private static final List<Note> BEFORE = list(Note.of(1, 1), Note.of(2, 1), null);
        private static final List<Note> AFTER = list(Note.of(1, 2), null, Note.of(3, 2));

        private final String protocol;
        private final Simulation simulation;
        private List<TableLayout> tables;
        private boolean open;
        private boolean over;
        private boolean happened;
        private boolean seenAfter;

        Crash(String protocol, long seed) {
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
        }

        private static List<Note> list(Note... notes) {
            List<Note> all = new ArrayList<>();
            for (Note each : notes) all.add(each);
            return all;
        }

        /** Dies after a verb. Returns false if the victim ended before that verb. */
        boolean run(long verb) {
            try (simulation) {
                CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
                SimFabric fabric = new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
                start("loader", () -> load(fabric));
                simulation.run();
                simulation.crashMachineOf("victim", verb, When.AFTER);
                Machine dying = start("opener", () -> die(fabric));
                start("watcher", () -> {
                    Tidepool pool = open(fabric);
                    Table<Note> notes = notes(pool);
                    open = true;
                    while (!dying.isDead() && !over) look(pool, notes);
                    for (int i = 0; i < 3; i++) look(pool, notes);
                    finish(fabric, pool);
                });
                simulation.run();
                simulation.settle();
                if (!dying.isDead()) return false;
                RowAudit audit = new RowAudit();
                for (TableLayout each : tables) {
                    PoolCheck check = new PoolCheck(fabric, each, false);
                    check.check();
                    check.audit(audit);
                }
                assertEquals(List.of(), audit.problems());
                assertTrue(audit.parts() > 0);
                return true;
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open(SimFabric fabric) {
            var made = Protocols.named(protocol);
            return PoolAccess.open(
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, 2 << 20, 4, 64 * 1024), made);
        }

        private static Table<Note> notes(Tidepool pool) {
            return pool.table("notes", Note.class, 120);
        }

        private static List<Note> read(Tidepool pool, Table<Note> notes) {
            return pool.read(tx -> notes.getAll(tx, 1, 2, 3));
        }

        /** Reads all rows, which are the old ones or the new ones; once they were new, they stay so. */
        private void look(Tidepool pool, Table<Note> notes) {
            List<Note> seen = read(pool, notes);
            boolean after = seen.equals(AFTER);
            assertTrue(after || seen.equals(BEFORE) && !seenAfter, () -> "seen " + seen);
            seenAfter |= after;
            Waiting.pause(1_000);
        }

        private void load(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Note> notes = notes(pool);
            tables = PoolAccess.layoutsWithParts(pool, notes.handle());
            pool.transact(tx -> {
                notes.insert(tx, BEFORE.get(0));
                notes.insert(tx, BEFORE.get(1));
            });
            pool.close();
        }

        private void die(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Note> notes = notes(pool);
            assertEquals(BEFORE, read(pool, notes));
            while (!open) Waiting.pause(1_000);
            simulation.start(
                    simulation.machine("opener", 1),
                    "victim",
                    () -> pool.transact(tx -> {
                        Cell<Note> first = notes.update(tx, 1);
                        notes.delete(tx, 2);
                        notes.insert(tx, AFTER.get(2));
                        first.set(AFTER.get(0));
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
            Table<Note> notes = notes(pool);
            look(pool, notes);
            happened = seenAfter;
            pool.transact(
                    tx -> { // nothing is locked, and the parts can be replaced
                        for (long id = 1; id <= 3; id++) notes.put(tx, Note.of(id, 3));
                    });
            assertEquals(list(Note.of(1, 3), Note.of(2, 3), Note.of(3, 3)), read(pool, notes));
            pool.close();
        }
    }
}
