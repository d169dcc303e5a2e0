package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
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
import tidepool.clusters.PoolView;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * A process dies at each verb of a change of a table, next to a process that writes. Afterwards the change has happened
 * or not, wholly; what the writer has committed is there; and the memory of a dropped table is zero in all copies and
 * used again.
 */
class TableChangeCrashTest {
    private static final int PARTITIONS = 2;
    private static final int REPLICAS = 2;
    private static final int KEYS = 12;

    /** From here on there are as many keys that are not written again. */
    private static final long UNTOUCHED = 1_000;

    private static final long MEMORY = 64 * 1024;

    /** The changes. */
    enum Change {
        DROP,
        TRUNCATE,
        RENAME
    }

    public record Row(@Key long id, long value, long same) {
        static Row of(long id, long value) {
            return new Row(id, value, ~value);
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
    void changeHappensWhollyOrNotAtAll(String protocol) {
        int step = protocol.equals("ford") ? Effort.of(3, 1, 1) : Effort.of(11, 5, 1);
        for (Change change : Change.values()) {
            int before = 0;
            int after = 0;
            for (long verb = 0; ; verb += step) {
                Scene scene = new Scene(protocol, change, 1 + verb);
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
        private SimFabric fabric;
        private boolean changed;
        private boolean begun;
        private boolean over;
        private long added;

        Scene(String protocol, Change change, long seed) {
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
                checkFreeMemory();
                return dying.isDead();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        protocol + " " + change + " verb=" + verb + CrashPlaces.of(simulation, "victim") + ": "
                                + e.getMessage(),
                        e);
            }
        }

        /** The table takes so much of the pool's memory that another one needs what it gives back. */
        private long room() {
            return protocol.startsWith("motor") ? 130 : protocol.equals("farmv2") ? 200 : 220;
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
            Table<Row> kept = pool.table("kept", Row.class, 20);
            Table<Row> table = pool.table("table", Row.class, room());
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) kept.put(tx, Row.of(key, 0));
            });
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) table.put(tx, Row.of(key, 1));
            });
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) table.put(tx, Row.of(key + UNTOUCHED, 1));
            });
            pool.close();
        }

        private void die() {
            Tidepool pool = open();
            pool.table("table", Row.class, room());
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
            }
        }

        /** Writes while the table is changed, by a handle from before. */
        private void write() {
            Tidepool pool = open();
            Table<Row> kept = pool.table("kept", Row.class, 20);
            Table<Row> table = pool.table("table", Row.class, room());
            begun = true;
            for (long i = 0; i < 60; i++) {
                long key = i % KEYS;
                pool.transact(tx -> {
                    Cell<Row> cell = kept.update(tx, key);
                    cell.set(Row.of(key, cell.get().value() + 1));
                });
                added++;
                try {
                    pool.transact(tx -> table.put(tx, Row.of(key, 1)));
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
            Table<Row> kept = pool.table("kept", Row.class, 20);
            long sum = kept.stream().mapToLong(Scene::whole).sum();
            assertEquals(added, sum);
            List<String> names = pool.tables().stream().map(TableHandle::name).toList();
            changed = switch (change) {
                case DROP -> !names.contains("table");
                case RENAME -> names.contains("renamed");
                case TRUNCATE -> untouched(pool, "table") == 0;
            };
            assertEquals(change == Change.DROP && changed ? 1 : 2, names.size(), names.toString());
            if (change == Change.RENAME)
                assertEquals(2 * KEYS, rows(pool, changed ? "renamed" : "table"), "rows of the renamed table");
            if (change != Change.RENAME && !changed) assertEquals(2 * KEYS, rows(pool, "table"));
            for (String name : List.of("table", "renamed")) if (names.contains(name)) pool.drop(name);
            // There is room for it only if the memory of the first table is used again.
            Table<Row> next = pool.table("next", Row.class, room());
            assertNull(pool.read(tx -> next.get(tx, 1)));
            pool.transact(tx -> next.put(tx, Row.of(1, 2)));
            assertEquals(1, rows(pool, "next"));
            for (String name : pool.tables().stream().map(TableHandle::name).toList()) pool.drop(name);
            assertTrue(pool.tables().isEmpty());
            pool.close();
        }

        private static long whole(Row row) {
            assertEquals(~row.value(), row.same(), "a mixed row");
            return row.value();
        }

        private static long untouched(Tidepool pool, String name) {
            return pool.table(name, Row.class).stream()
                    .filter(row -> row.id() >= UNTOUCHED)
                    .mapToLong(Scene::whole)
                    .count();
        }

        private static long rows(Tidepool pool, String name) {
            return pool.table(name, Row.class).stream().mapToLong(Scene::whole).count();
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
