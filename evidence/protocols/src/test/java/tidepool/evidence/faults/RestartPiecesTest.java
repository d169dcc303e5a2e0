package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.clusters.PoolCheck;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/** A repair after a loss of power compares all pieces of tables that are larger than what it reads at once. */
class RestartPiecesTest {
    private static final Logger LOG = Logger.getLogger("tidepool"); // one that is not kept would talk again
    private static final int ROWS = 1_000;

    /** Rows that take some 500 KiB, in pieces of 64 KiB. */
    public record Big(
            @Key long id, long number, @Length(400) byte[] text) {}

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void everyPieceIsRepaired() {
        try (Simulation simulation = new Simulation(1)) {
            CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(50_000_000);
            SimFabric fabric = new SimFabric(simulation, 2, costs, Adversary.ORDER.withPersistence(0));
            simulation.start(simulation.machine("writer", 1), "writer", () -> {
                Tidepool pool = open(fabric);
                Table<Big> rows = pool.table("rows", Big.class, ROWS);
                for (long number : new long[] {1, 2})
                    for (int from = 0; from < ROWS; from += 50) {
                        int first = from;
                        pool.transact(tx -> {
                            for (int id = first; id < first + 50; id++)
                                rows.put(tx, new Big(id, number, new byte[400]));
                        });
                    }
                pool.close();
            });
            simulation.run();
            for (int node = 0; node < 2; node++) fabric.failPower(node, (_, _) -> false);
            for (int node = 0; node < 2; node++) fabric.restartNode(node);
            TableLayout[] layout = new TableLayout[1];
            simulation.start(simulation.machine("opener", 1), "opener", () -> {
                Tidepool pool = open(fabric);
                Table<Big> rows = pool.table("rows", Big.class, ROWS);
                layout[0] = PoolAccess.layout(rows.handle());
                for (int id = 0; id < ROWS; id++) {
                    long key = id;
                    assertEquals(2, (long) pool.read(tx -> rows.get(tx, key).number()), "row " + id);
                }
                pool.close();
            });
            simulation.run();
            simulation.settle();
            assertTrue(layout[0].buckets() * layout[0].bucketBytes() > 3 * 64 * 1024, "several pieces");
            new PoolCheck(fabric, layout[0], false).check();
        }
    }

    private static Tidepool open(SimFabric fabric) {
        var made = Protocols.named("ford?flush=selective");
        return PoolAccess.open(fabric, new PoolOptions(made.name(), 2, 2, 4 << 20, 4, 64 * 1024), made);
    }
}
