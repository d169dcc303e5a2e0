package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.SimRosters;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordOptions;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;

/** Both nodes of a pool lose their power, no line survives that was not flushed, and one of them is away afterwards. */
@Tag("full")
class NodePowerTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4096);
    private static final int ROWS = 10;
    private static final long LEASE_NANOS = 50_000;

    /** A row with a number. */
    public record Row(@Key long key, long value) {}

    private long sum;
    private StoreException refused;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Every copy was flushed, so the one that is left has everything. */
    @Test
    void withFullTheOtherOneGoesOn() {
        play(FlushPolicy.FULL, false);

        assertEquals(ROWS * (ROWS + 1) / 2, sum);
    }

    /** Of one partition only the primary is left, which was not flushed. */
    @Test
    void withSelectiveItIsRefused() {
        play(FlushPolicy.SELECTIVE, false);

        assertEquals(StoreException.Reason.UNAVAILABLE, refused.reason());
        assertTrue(
                refused.getMessage()
                        .startsWith("memory nodes have lost their power, and of partition 0 no copy is left that was"
                                + " flushed (flush=selective): bring back"),
                refused.getMessage());
    }

    /** The attempt changes nothing. */
    @Test
    void withSelectiveItGoesOnWhenTheNodeIsBack() {
        play(FlushPolicy.SELECTIVE, true);

        assertEquals(ROWS * (ROWS + 1) / 2, sum);
    }

    /**
     * The steward checks before the reconfiguration; the power may be lost in between. Then the reconfiguration itself
     * refuses, and reports that the node has to come back. The repair would refuse as well, and advise to trust what is
     * left.
     */
    @Test
    void withSelectiveTheChangeItselfIsRefused() {
        play(FlushPolicy.SELECTIVE, false, this::change);

        assertEquals(StoreException.Reason.UNAVAILABLE, refused.reason());
        assertTrue(refused.getMessage().endsWith("bring back the node that held one"), refused.getMessage());
    }

    private void play(FlushPolicy flush, boolean returns) {
        play(flush, returns, this::tend);
    }

    private void play(FlushPolicy flush, boolean returns, BiConsumer<SimRosters, Protocol> steward) {
        try (Simulation simulation = new Simulation(1)) {
            CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(2_000_000);
            SimFabric fabric = new SimFabric(simulation, 2, costs, Adversary.ORDER.withPersistence(0));
            SimRosters rosters = new SimRosters(fabric, 0, 2, 2, LEASE_NANOS);
            Protocol protocol = new Ford(FordOptions.DEFAULT.with(flush));
            simulation.start(simulation.machine("loader", 1), "loader", () -> {
                try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, protocol)) {
                    Table<Row> rows = pool.table("rows", Row.class, ROWS);
                    for (long i = 1; i <= ROWS; i++) {
                        long key = i;
                        pool.transact(tx -> rows.insert(tx, new Row(key, key)));
                    }
                }
            });
            simulation.run();
            for (int node = 0; node < 2; node++) fabric.failPower(node, (region, line) -> false);
            fabric.restartNode(0);
            rosters.crash(1);
            simulation.start(simulation.machine("steward", 1), "steward", () -> steward.accept(rosters, protocol));
            simulation.run();
            if (returns) rosters.comeBack(1);
            if (refused != null && !returns) return;
            simulation.start(simulation.machine("reader", 1), "reader", () -> {
                try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, protocol)) {
                    Table<Row> rows = pool.table("rows", Row.class);
                    for (long i = 1; i <= ROWS; i++) {
                        long key = i;
                        sum += (long) pool.read(tx -> rows.get(tx, key).value());
                    }
                }
            });
            simulation.run();
        }
    }

    private void tend(SimRosters rosters, Protocol protocol) {
        Waiting.pause(2 * LEASE_NANOS);
        try {
            new Steward(rosters.client(), OPTIONS, protocol).tend();
        } catch (StoreException e) {
            refused = e;
        }
    }

    private void change(SimRosters rosters, Protocol protocol) {
        Waiting.pause(2 * LEASE_NANOS);
        Roster left = RosterPlan.without(rosters.now(), Set.of(1));
        try (Fabric fabric = rosters.client().open(left);
                Session session = fabric.attach()) {
            protocol.change(session, Catalog.openForChange(fabric, session, OPTIONS, left))
                    .run(0);
        } catch (StoreException e) {
            refused = e;
        }
    }
}
