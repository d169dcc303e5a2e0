package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/**
 * Rows with wide keys outlast a loss of power: the content of their objects is longer than their values, because the
 * key comes after the value.
 */
class WideKeyPowerTest {
    private static final int NODES = 2;
    private static final int ROWS = 30;

    /** A row under a name. */
    public record Named(@Key @Length(30) String name, long value) {
        Named(long value) {
            this("row number " + value, value);
        }
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford?flush=selective", "ford?flush=full"})
    void rowsAreThereAfterALossOfPower(String protocol) {
        try (Simulation simulation = new Simulation(1)) {
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
            SimFabric fabric = new SimFabric(simulation, NODES, costs, Adversary.ORDER.withPersistence(20_000));
            run(simulation, "writer", () -> {
                Table<Named> rows = rows(fabric, protocol);
                for (long i = 0; i < ROWS; i++) {
                    Named row = new Named(i);
                    pool.transact(tx -> rows.put(tx, row));
                }
            });
            for (int node = 0; node < NODES; node++) fabric.failPower(node);
            for (int node = 0; node < NODES; node++) fabric.restartNode(node);
            run(simulation, "reader", () -> {
                Table<Named> rows = rows(fabric, protocol);
                for (long i = 0; i < ROWS; i++) {
                    Named row = new Named(i);
                    assertEquals(row, pool.read(tx -> rows.get(tx, row.name())));
                }
            });
        }
    }

    private Tidepool pool;

    private Table<Named> rows(SimFabric fabric, String protocol) {
        var made = Protocols.named(protocol);
        pool = PoolAccess.open(fabric, new PoolOptions(made.name(), NODES, 1, 1 << 20, 4, 64 * 1024), made);
        return pool.table("rows", Named.class, 1);
    }

    private static void run(Simulation simulation, String name, Runnable body) {
        simulation.start(simulation.machine(name, 1), name, body);
        simulation.run();
    }
}
