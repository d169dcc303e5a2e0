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
import tidepool.clusters.SimRosters;
import tidepool.fabric.FabricException;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Step;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.SchemaChange;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;

/**
 * A memory node dies at a verb of a change of a table, next to a process that writes. A steward removes the node, which
 * shuts out the changer too, and fills new copies. The change happens in the end, because its process tries again.
 * Nothing committed is lost, all copies are equal, and free memory is zero in all of them.
 */
class TableNodeLossTest {
    private static final int MEMBERS = 3;
    private static final int REPLICAS = 2;
    private static final int PARTITIONS = 2;
    private static final int KEYS = 8;

    /** Rows of the table that changes: more than one transaction moves. */
    private static final int ROWS = 40;

    private static final long MEMORY = 128 * 1024;
    private static final long LEASE_NANOS = 300_000;
    private static final long DEADLINE_NANOS = 2_000_000;
    private static final long LOOK_NANOS = 50_000;
    private static final long PATIENCE_NANOS = 5_000_000;
    private static final long PACE_NANOS = 20_000;
    private static final long MAX_NANOS = 20_000_000_000L;

    private static final SchemaChange CHANGE = new SchemaChange()
            .widen("value", AttributeType.LONG)
            .drop("gone", "7")
            .add("more", AttributeType.LONG, "-1");

    enum Change {
        DROP,
        TRUNCATE,
        RENAME,
        /** Attributes are added, dropped and widened, and rows move. */
        ALTER,
        /** The same, by a second process: the first one has died when it had moved some of the rows. */
        FINISH;

        boolean movesRows() {
            return this == ALTER || this == FINISH;
        }
    }

    public record Row(@Key long id, long value) {}

    public record Old(@Key long id, int value, int gone) {}

    public record New(@Key long id, long value, long more) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return List.of("ford", "ford-lv?vcachebytes=4k", "farm", "farmv2", "drtmh", "motor", "hdtx");
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void dropOutlivesTheLossOfANode(String protocol) {
        outlives(Change.DROP, protocol, Effort.of(17, 9, 1));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void emptyingOutlivesTheLossOfANode(String protocol) {
        outlives(Change.TRUNCATE, protocol, Effort.of(61, 37, 1));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void renamingOutlivesTheLossOfANode(String protocol) {
        outlives(Change.RENAME, protocol, Effort.of(61, 37, 1));
    }

    /** FORD-LV has the form in which several sessions write one table. */
    @ParameterizedTest
    @MethodSource("protocols")
    void movingRowsOutlivesTheLossOfANode(String protocol) {
        String made = protocol.startsWith("ford-lv") ? protocol + "&vcache=global" : protocol;
        int step = protocol.equals("ford") ? Effort.of(149, 61, 1) : Effort.of(299, 197, 1);
        outlives(Change.ALTER, made, step);
        outlives(Change.FINISH, made, step);
    }

    private static void outlives(Change change, String protocol, int step) {
        for (int node = 0; node < MEMBERS; node++) {
            int deaths = 0;
            for (long verb = node; ; verb += step) {
                NodeDeath.When when = verb % 2 == 0 ? NodeDeath.When.AFTER : NodeDeath.When.BEFORE;
                NodeDeath death = new NodeDeath("victim", node, verb, when, false);
                if (!new Scene(change, protocol, 1 + verb).run(death)) break;
                deaths++;
            }
            assertTrue(deaths > 0, "node " + node + " died");
        }
    }

    private static final class Scene {
        private final Change change;
        private final String protocol;
        private final Simulation simulation;
        private final SimFabric fabric;
        private final SimRosters rosters;
        private final int[] values = new int[ROWS];
        private boolean changed;
        private boolean written;
        private long added;
        private TableLayout kept;

        Scene(Change change, String protocol, long seed) {
            this.change = change;
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(DEADLINE_NANOS);
            fabric = new SimFabric(simulation, MEMBERS + 1, costs, ClusterOptions.DEATHS);
            rosters = new SimRosters(fabric, 1, PARTITIONS, REPLICAS, LEASE_NANOS);
        }

        /** Returns false if the node did not die. */
        boolean run(NodeDeath death) {
            try (simulation) {
                start("loader", this::load);
                simulation.run();
                if (change == Change.FINISH) stopHalfway();
                NodeDeaths deaths = new NodeDeaths(fabric, rosters, List.of(death));
                fabric.listen(deaths);
                start("victim", this::change);
                start("writer", this::write);
                start("steward", this::tend);
                simulation.run();
                fabric.listen(null);
                start("last", this::finish);
                simulation.run();
                simulation.settle();
                Roster now = rosters.now();
                new PoolCheck(rosters.showing(now), now, kept, false).checkObjects();
                start("very last", this::dropAll);
                simulation.run();
                simulation.settle();
                checkFreeMemory(rosters.now());
                return deaths.isOver();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(change + " " + protocol + " " + death + ": " + e.getMessage(), e);
            }
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 2);
            simulation.start(machine, name, body);
            return machine;
        }

        private Protocol named() {
            return Protocols.named(protocol);
        }

        private PoolOptions options() {
            return new PoolOptions(named().name(), REPLICAS, PARTITIONS, MEMORY, 8, 16 * 1024);
        }

        private Tidepool open() {
            for (int tries = 0; ; tries++) {
                try {
                    return PoolAccess.open(rosters.client(), options(), named());
                } catch (FabricException e) {
                    if (tries == 1_000) throw e;
                }
            }
        }

        private void load() {
            Tidepool pool = open();
            Table<Row> other = pool.table("kept", Row.class, 10);
            Table<Old> table = pool.table("table", Old.class, 100);
            pool.transact(tx -> {
                for (long key = 0; key < KEYS; key++) other.put(tx, new Row(key, 0));
            });
            pool.transact(tx -> {
                for (long key = 0; key < ROWS; key++) table.put(tx, new Old(key, 1, 7));
            });
            Arrays.fill(values, 1);
            pool.close();
        }

        /** A process alters the table, and dies when its first rows have moved, or are about to move. */
        private void stopHalfway() {
            simulation.crash("stopper", CrashPoint.after(Step.COMMIT));
            Machine stopper = start("stopper", () -> open().alter("table", CHANGE));
            start("heir", () -> {
                while (!stopper.isDead()) Waiting.pause(10_000);
                Tidepool pool = open();
                while (fabric.control(0).sessions().length > 1) {
                    pool.recoverAll();
                    Waiting.pause(5_000);
                }
                TableLayout table = PoolAccess.layout(pool.table("table"));
                assertTrue(table.before() != null, "rows are moving");
                pool.close();
            });
            simulation.run();
        }

        private void change() {
            Tidepool pool = open();
            switch (change) {
                case DROP -> pool.drop("table");
                case TRUNCATE -> pool.truncate("table");
                case RENAME -> pool.rename("table", "renamed");
                case ALTER -> pool.alter("table", CHANGE);
                case FINISH -> pool.alter("table", new SchemaChange());
            }
            goOn(pool);
            changed = true;
            pool.close();
        }

        /** The process that has changed the table knows it as it is now. */
        private void goOn(Tidepool pool) {
            Table<Old> table = pool.table(change == Change.RENAME ? "renamed" : "table", Old.class, 100);
            switch (change) {
                case DROP, TRUNCATE -> assertEmpty(pool, table);
                case RENAME -> assertRows(pool, table);
                default -> assertNull(PoolAccess.layout(pool.table("table")).before(), "all rows have moved");
            }
        }

        /** Writes another table while one changes, and rows that move, by their record of before. */
        private void write() {
            Tidepool pool = open();
            Table<Row> other = pool.table("kept", Row.class, 10);
            Table<Old> moving = change.movesRows() ? pool.table("table", Old.class) : null;
            for (long i = 0; i < 30 || !changed; i++) {
                long key = i % KEYS;
                int row = (int) (7 * i % ROWS);
                pool.transact(tx -> {
                    Cell<Row> cell = other.update(tx, key);
                    cell.set(new Row(key, cell.get().value() + 1));
                    if (moving == null) return;
                    Cell<Old> moved = moving.update(tx, row);
                    assertEquals(values[row], moved.get().value(), "a lost write");
                    moved.set(new Old(row, values[row] + 1, 7));
                });
                Waiting.pause(PACE_NANOS); // otherwise it meets each transaction that moves rows
                added++;
                if (moving != null) values[row]++;
            }
            pool.close();
            written = true;
        }

        private void tend() {
            Steward steward = new Steward(rosters.client(), options(), named(), PATIENCE_NANOS);
            while (!changed || !written || !isWell()) {
                try {
                    if (steward.tend()) continue;
                } catch (FabricException | StoreException e) {
                    // A member may have died just now. The next turn removes it.
                }
                Waiting.pause(LOOK_NANOS);
                if (simulation.nowNanos() > MAX_NANOS)
                    throw new ClusterFailure("the memory nodes do not get well: " + changed + " " + written + " "
                            + rosters.now().text());
            }
        }

        private boolean isWell() {
            Roster now = rosters.now();
            if (!now.steady() || now.isFilling()) return false;
            for (Roster.Member member : now.members()) if (fabric.isDown(SimRosters.node(member))) return false;
            return now.partitions().stream().allMatch(copies -> copies.whole().size() == REPLICAS);
        }

        private void finish() {
            Tidepool pool = open();
            pool.recoverAll();
            assertEquals(
                    List.of("kept", change == Change.RENAME ? "renamed" : "table"),
                    pool.tables().stream().map(TableHandle::name).sorted().toList());
            Table<Row> other = pool.table("kept", Row.class, 10);
            kept = PoolAccess.layout(other.handle());
            assertEquals(added, other.stream().mapToLong(Row::value).sum());
            switch (change) {
                case DROP, TRUNCATE -> assertEquals(1, pool.size("table").rows());
                case RENAME -> assertRows(pool, pool.table("renamed", Old.class, 100));
                default -> {
                    assertRows(pool, pool.table("table", Old.class));
                    assertNull(PoolAccess.layout(pool.table("table")).before(), "all rows have moved");
                    Table<New> now = pool.table("table", New.class);
                    assertTrue(now.stream().allMatch(row -> row.more() == -1 && row.value() == values[(int) row.id()]));
                }
            }
            assertEmpty(pool, pool.table("next", Old.class, 100));
            pool.close();
        }

        private void assertEmpty(Tidepool pool, Table<Old> table) {
            for (long key = 0; key < ROWS; key += 3) {
                long id = key;
                assertNull(pool.read(tx -> table.get(tx, id)), "a row of the table of before");
            }
            pool.transact(tx -> table.put(tx, new Old(1, 2, 7)));
            assertEquals(1, table.stream().count());
        }

        private void assertRows(Tidepool pool, Table<Old> table) {
            boolean[] seen = new boolean[ROWS];
            for (Old row : table.pages(10)) {
                int id = (int) row.id();
                assertEquals(new Old(id, values[id], 7), row);
                assertFalse(seen[id], "a row comes twice");
                seen[id] = true;
                assertEquals(row, pool.read(tx -> table.get(tx, id)));
            }
            for (boolean each : seen) assertTrue(each, "a row is lost");
        }

        private void dropAll() {
            Tidepool pool = open();
            for (TableHandle each : pool.tables()) pool.drop(each.name());
            pool.close();
        }

        private void checkFreeMemory(Roster now) {
            PoolView view = new PoolView(rosters.showing(now), now);
            for (int p = 0; p < PARTITIONS; p++)
                for (int copy = 0; copy < REPLICAS; copy++) {
                    MemorySegment memory = view.replica(Pointer.of(p, 0), copy);
                    for (long at = 0; at < memory.byteSize(); at += Words.BYTES)
                        assertEquals(0, Words.plain(memory, at), "partition " + p + " copy " + copy + " at " + at);
                }
        }
    }
}
