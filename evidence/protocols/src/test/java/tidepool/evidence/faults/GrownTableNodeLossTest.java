package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.clusters.SimRosters;
import tidepool.fabric.FabricException;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/**
 * A memory node dies at a verb of the first growth of a table: while an area is added, or a bucket is split. A steward
 * removes the node, and fills new copies of a table that goes on growing. Every row is there once, and the copies are
 * equal in all areas.
 */
class GrownTableNodeLossTest {
    private static final int MEMBERS = 3;
    private static final int REPLICAS = 2;
    private static final int MORE = 10;
    private static final long LEASE_NANOS = 300_000;
    private static final long DEADLINE_NANOS = 2_000_000;
    private static final long LOOK_NANOS = 50_000;
    private static final long PATIENCE_NANOS = 5_000_000;
    private static final long MAX_NANOS = 20_000_000_000L;

    private static final Logger LOG = Logger.getLogger("tidepool");

    /** A row so long that a bucket has two slots. */
    public record Visit(@Key long id, long who, @Length(400) byte[] text) {
        Visit(long id) {
            this(id, id * 3, new byte[400]);
        }
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv?vcachebytes=4k", "farm", "farmv2", "drtmh", "motor", "hdtx"})
    void growthOutlivesTheLossOfANode(String protocol) {
        int rows = new Scene(protocol, 1, 0).rowsUntilGrowth();
        int step = protocol.equals("ford") ? Effort.of(29, 13, 1) : Effort.of(47, 31, 1);
        for (int node = 0; node < MEMBERS; node++) {
            int deaths = 0;
            for (long verb = node; ; verb += step) {
                NodeDeath.When when = verb % 2 == 0 ? NodeDeath.When.AFTER : NodeDeath.When.BEFORE;
                NodeDeath death = new NodeDeath("victim", node, verb, when, false);
                if (!new Scene(protocol, 1 + verb, rows).run(death)) break;
                deaths++;
            }
            assertTrue(deaths > 0, "node " + node + " did not die");
        }
    }

    private static final class Scene {
        private final String protocol;
        private final Simulation simulation;
        private final SimFabric fabric;
        private final SimRosters rosters;
        private final int loaded;
        private boolean written;
        private TableLayout layout;

        Scene(String protocol, long seed, int loaded) {
            this.protocol = protocol;
            this.loaded = loaded;
            this.simulation = new Simulation(seed);
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(DEADLINE_NANOS);
            fabric = new SimFabric(simulation, MEMBERS + 1, costs, ClusterOptions.DEATHS);
            rosters = new SimRosters(fabric, 1, 2, REPLICAS, LEASE_NANOS);
        }

        /** Returns with how many rows the next transactions add an area and split buckets. */
        int rowsUntilGrowth() {
            try (simulation) {
                int[] rows = new int[1];
                start("loader", () -> {
                    Tidepool pool = open();
                    Table<Visit> visits = visits(pool);
                    TableLayout table = PoolAccess.layout(visits.handle());
                    for (; !table.hasGrown(); rows[0]++) insert(pool, visits, rows[0]);
                    pool.close();
                });
                simulation.run();
                return rows[0] - 2;
            }
        }

        /** Returns false if the node did not die. */
        boolean run(NodeDeath death) {
            try (simulation) {
                start("loader", () -> {
                    Tidepool pool = open();
                    Table<Visit> visits = visits(pool);
                    for (long id = 0; id < loaded; id++) insert(pool, visits, id);
                    pool.close();
                });
                simulation.run();
                NodeDeaths deaths = new NodeDeaths(fabric, rosters, List.of(death));
                fabric.listen(deaths);
                start("victim", this::grow);
                start("steward", this::tend);
                simulation.run();
                fabric.listen(null);
                start("last", this::finish);
                simulation.run();
                simulation.settle();
                Roster now = rosters.now();
                new PoolCheck(rosters.showing(now), now, layout, false).checkObjects();
                return deaths.isOver();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(protocol + " " + death + ": " + e.getMessage(), e);
            }
        }

        private void start(String name, Runnable body) {
            simulation.start(simulation.machine(name, 2), name, body);
        }

        private Protocol named() {
            return Protocols.named(protocol);
        }

        private PoolOptions options() {
            return new PoolOptions(named().name(), REPLICAS, 2, 256 * 1024, 8, 16 * 1024);
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

        private static Table<Visit> visits(Tidepool pool) {
            return pool.table("visits", Visit.class, 1);
        }

        /** An insert whose outcome was lost with the node may have happened. */
        private static void insert(Tidepool pool, Table<Visit> visits, long id) {
            pool.transact(tx -> visits.put(tx, new Visit(id)));
        }

        private void grow() {
            Tidepool pool = open();
            Table<Visit> visits = visits(pool);
            for (long id = loaded; id < loaded + MORE; id++) insert(pool, visits, id);
            pool.close();
            written = true;
        }

        private void tend() {
            Steward steward = new Steward(rosters.client(), options(), named(), PATIENCE_NANOS);
            while (!written || !isWell()) {
                try {
                    if (steward.tend()) continue;
                } catch (FabricException | StoreException e) {
                    // A member may have died just now. The next turn removes it.
                }
                Waiting.pause(LOOK_NANOS);
                if (simulation.nowNanos() > MAX_NANOS)
                    throw new ClusterFailure("the memory nodes do not get well: " + written + " "
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
            Table<Visit> visits = visits(pool);
            layout = PoolAccess.layout(visits.handle());
            assertRows(pool, visits, loaded + MORE);
            assertTrue(layout.hasGrown(), "it has grown");
            for (long id = loaded + MORE; id < loaded + 2 * MORE; id++) insert(pool, visits, id);
            assertRows(pool, visits, loaded + 2 * MORE);
            PoolAccess.usage(pool, visits.handle(), Long.MAX_VALUE); // learns all areas
            pool.close();
        }

        private static void assertRows(Tidepool pool, Table<Visit> visits, int count) {
            TreeSet<Long> seen = new TreeSet<>();
            visits.forEach(row -> {
                assertEquals(row.id() * 3, row.who());
                assertTrue(seen.add(row.id()), row.id() + " is there twice");
            });
            assertEquals(count, seen.size(), "rows");
            for (long id = 0; id < count; id++) {
                long key = id;
                assertNotNull(pool.read(tx -> visits.get(tx, key)), id + " is not found");
            }
        }
    }
}
