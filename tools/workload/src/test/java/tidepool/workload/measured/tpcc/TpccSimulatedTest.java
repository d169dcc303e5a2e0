package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.workload.measured.PoolLoader;
import tidepool.workload.measured.PoolRows;
import tidepool.workload.measured.PoolTables;
import tidepool.workload.measured.Scale;

/**
 * One warehouse, so that all meet, on two simulated machines of three strands, while the adversary reorders and tears:
 * the conditions hold.
 */
@Timeout(300)
class TpccSimulatedTest {
    private static final int MACHINES = 2;
    private static final int STRANDS = 3;
    private static final int TRANSACTIONS = 40;

    private final Tpcc workload = new Tpcc(Scale.SPEC, new TpccSize(1, 20, 100, 60, 1, 1_000, true));

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv?vcache=global", "farm", "farmv2", "motor", "drtmh", "hdtx"})
    void conditionsHoldUnderTheAdversary(String protocol) {
        long[] book = run(protocol, 1);
        assertTrue(book[TpccTotals.NEW_ORDERS] > 50 && book[TpccTotals.DELIVERED] > 50, Arrays.toString(book));
    }

    /** Returns the sum of all books. */
    private long[] run(String protocol, long seed) {
        long[] book = new long[TpccTotals.NAMES.size()];
        try (Simulation simulation = new Simulation(seed)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.named("cx5"), Adversary.ORDER);
            PoolOptions options = new PoolOptions(protocol, 2, 0, 12 << 20, 16, 64 * 1024);
            simulation.start(simulation.machine("load", 1), "load", () -> {
                Tidepool pool = PoolAccess.open(fabric, options);
                PoolLoader.load(pool, PoolTables.open(pool, workload), workload, 0, 1);
                pool.close();
            });
            simulation.run();
            for (int m = 0; m < MACHINES; m++) {
                int first = m * STRANDS;
                var machine = simulation.machine("machine" + m, 1);
                simulation.start(machine, "open" + m, () -> {
                    Tidepool pool = PoolAccess.open(fabric, options);
                    List<TableLayout> tables = PoolTables.open(pool, workload);
                    for (int s = first; s < first + STRANDS; s++) {
                        int number = s;
                        simulation.start(machine, "client" + s, () -> client(pool, tables, number, seed, book));
                    }
                });
            }
            simulation.run();
            simulation.start(simulation.machine("check", 1), "check", () -> {
                Tidepool pool = PoolAccess.open(fabric, options);
                assertEquals(
                        List.of(),
                        PoolRows.check(pool, PoolTables.open(pool, workload), workload, book),
                        "seed " + seed);
                pool.close();
            });
            simulation.run();
        }
        return book;
    }

    private void client(Tidepool pool, List<TableLayout> tables, int number, long seed, long[] book) {
        TpccClient client = (TpccClient) workload.client(tables, number, MACHINES * STRANDS, seed);
        try (Worker worker = pool.worker()) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                client.draw();
                TpccPool.finish(worker, client);
            }
        }
        for (int i = 0; i < book.length; i++) book[i] += client.book()[i];
    }
}
