package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.Steward;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.CostProfile;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.protocol.Protocol;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordOptions;
import tidepool.store.Flush;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.schema.Key;

/** Both nodes of a pool lose their power, nothing survives that was not flushed, and one of them is away afterwards. */
@Tag("full")
class NodePowerTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4096);
    private static final int ROWS = 10;
    private static final long LEASE_NANOS = 50_000;

    /** A number. */
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
        play(Flush.FULL, false);

        assertEquals(ROWS * (ROWS + 1) / 2, sum);
    }

    /** Of one partition only the primary is left, which nobody flushed. */
    @Test
    void withSelectiveItIsRefused() {
        play(Flush.SELECTIVE, false);

        assertEquals(StoreException.Reason.UNAVAILABLE, refused.reason());
        assertTrue(
                refused.getMessage()
                        .startsWith("memory nodes have lost their power, and of partition 0 no copy is left that was"
                                + " flushed (flush=selective): bring back"),
                refused.getMessage());
    }

    /** And nothing was changed by trying. */
    @Test
    void withSelectiveItGoesOnWhenTheNodeIsBack() {
        play(Flush.SELECTIVE, true);

        assertEquals(ROWS * (ROWS + 1) / 2, sum);
    }

    private void play(Flush flush, boolean returns) {
        try (Simulation simulation = new Simulation(1)) {
            CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(2_000_000);
            SimFabric fabric = new SimFabric(simulation, 2, costs, Adversary.ORDER.withPersistence(0));
            SimRosters rosters = new SimRosters(fabric, 0, 2, 2, LEASE_NANOS);
            Protocol protocol = new Ford(FordOptions.DEFAULT.with(flush));
            simulation.start(simulation.machine("loader", 1), "loader", () -> {
                try (Tidepool pool = Tidepool.open(rosters.client(), OPTIONS, protocol)) {
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
            simulation.start(simulation.machine("steward", 1), "steward", () -> tend(rosters, protocol));
            simulation.run();
            if (returns) rosters.comeBack(1);
            if (refused != null && !returns) return;
            simulation.start(simulation.machine("reader", 1), "reader", () -> {
                try (Tidepool pool = Tidepool.open(rosters.client(), OPTIONS, protocol)) {
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
}
