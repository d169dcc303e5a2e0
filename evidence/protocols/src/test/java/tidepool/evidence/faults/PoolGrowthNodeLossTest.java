package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.SimRosters;
import tidepool.fabric.FabricException;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;

/**
 * A memory node dies at a verb of a growth, next to a process that writes. A steward removes the node, which shuts out
 * the grower too, and gives the others new copies. The growth happens in the end, because its process tries again.
 * Every copy has the new size, also those that were made or filled meanwhile; nothing committed is lost.
 */
class PoolGrowthNodeLossTest {
    private static final int MEMBERS = 3;
    private static final int REPLICAS = 2;
    private static final int KEYS = 8;
    private static final long SMALL = 64 * 1024;
    private static final long LARGE = 192 * 1024;
    private static final long LEASE_NANOS = 300_000;
    private static final long DEADLINE_NANOS = 2_000_000;
    private static final long LOOK_NANOS = 50_000;
    private static final long PATIENCE_NANOS = 5_000_000;
    private static final long MAX_NANOS = 20_000_000_000L;

    public record Row(@Key long id, long value) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv?vcachebytes=4k", "farm", "farmv2", "drtmh", "motor", "hdtx"})
    void growthOutlivesTheLossOfANode(String protocol) {
        int step = Effort.of(17, 9, 1);
        for (int node = 0; node < MEMBERS; node++) {
            int deaths = 0;
            for (long verb = 0; ; verb += step) {
                NodeDeath.When when = verb % 2 == 0 ? NodeDeath.When.AFTER : NodeDeath.When.BEFORE;
                if (!new Scene(protocol, 1 + verb).run(new NodeDeath("victim", node, verb, when, false))) break;
                deaths++;
            }
            assertTrue(deaths > 0, "node " + node + " died");
        }
    }

    private static final class Scene {
        private final String protocol;
        private final Simulation simulation;
        private final SimFabric fabric;
        private final SimRosters rosters;
        private boolean grown;
        private boolean written;
        private long added;

        Scene(String protocol, long seed) {
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(DEADLINE_NANOS);
            fabric = new SimFabric(simulation, MEMBERS + 1, costs, ClusterOptions.DEATHS);
            rosters = new SimRosters(fabric, 1, 2, REPLICAS, LEASE_NANOS);
        }

        /** Returns false if the node did not die. */
        boolean run(NodeDeath death) {
            try (simulation) {
                start("loader", this::load);
                simulation.run();
                NodeDeaths deaths = new NodeDeaths(fabric, rosters, List.of(death));
                fabric.listen(deaths);
                start("victim", this::grow);
                start("writer", this::write);
                start("steward", this::tend);
                simulation.run();
                fabric.listen(null);
                start("last", this::finish);
                simulation.run();
                simulation.settle();
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
            return new PoolOptions(named().name(), REPLICAS, 2, SMALL, 8, 8 * 1024);
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
            Table<Row> kept = pool.table("kept", Row.class, 10);
            Table<Row> table = pool.table("table", Row.class, 100);
            for (Table<Row> each : List.of(kept, table))
                pool.transact(tx -> {
                    for (long key = 0; key < KEYS; key++) each.put(tx, new Row(key, 0));
                });
            pool.close();
        }

        private void grow() {
            Tidepool pool = open();
            pool.grow(LARGE);
            grown = true;
            pool.close();
        }

        private void write() {
            Tidepool pool = open();
            Table<Row> kept = pool.table("kept", Row.class, 10);
            for (long i = 0; i < 30 || !grown; i++) {
                long key = i % KEYS;
                pool.transact(tx -> {
                    Cell<Row> cell = kept.update(tx, key);
                    cell.set(new Row(key, cell.get().value() + 1));
                });
                added++;
            }
            pool.close();
            written = true;
        }

        private void tend() {
            Steward steward = new Steward(rosters.client(), options(), named(), PATIENCE_NANOS);
            while (!grown || !written || !isWell()) {
                try {
                    if (steward.tend()) continue;
                } catch (FabricException | StoreException e) {
                    // A member may have died just now. The next turn removes it.
                }
                Waiting.pause(LOOK_NANOS);
                if (simulation.nowNanos() > MAX_NANOS)
                    throw new ClusterFailure("the memory nodes do not get well: " + grown + " " + written + " "
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
            assertEquals(LARGE, PoolAccess.memory(pool));
            Table<Row> kept = pool.table("kept", Row.class, 10);
            assertEquals(added, kept.stream().mapToLong(Row::value).sum());
            Table<Row> table = pool.table("table", Row.class, 100);
            assertEquals(KEYS, table.stream().count());
            PoolRegionsCheck.check((SimFabric) PoolAccess.fabric(pool), PoolAccess.roster(pool), LARGE);
            Table<Row> next = pool.table("next", Row.class, 300);
            for (long key = 0; key < 300; key += 11) {
                Row row = new Row(key, 2);
                assertNull(pool.read(tx -> next.get(tx, row.id())));
                pool.transact(tx -> next.put(tx, row));
            }
            assertEquals(28, next.stream().count());
            pool.close();
        }
    }
}
