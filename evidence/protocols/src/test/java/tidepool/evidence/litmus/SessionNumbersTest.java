package tidepool.evidence.litmus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.SimRosters;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.memory.NodeLayout;
import tidepool.protocol.Protocols;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.PoolOptions;

/**
 * Tests of the 2^23 session numbers of a pool. Each is used once, because locks and versions carry them. When all are
 * used, new sessions are refused every time; existing sessions continue.
 */
class SessionNumbersTest {
    private static final long LAST = NodeLayout.GIVEN_NUMBERS;
    private static final long LEASE_NANOS = 50_000;
    private static final int GIVEN = 100;

    @Test
    void lastSessionOfASimulatedPoolWorksAndTheNextIsRefused() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 3);
            leave(fabric.memory(0).meta(), 1);
            simulation.start(simulation.machine("m", 1), "m", () -> lastOneWorks(fabric));
            simulation.run();
        }
    }

    /** A process needs one number for itself and one for its session. */
    @Test
    void lastSessionOfAPoolOfProcessesWorksAndTheNextIsRefused(@TempDir Path folder) throws IOException {
        Path pool = folder.resolve("pool");
        try (Fabric fabric = Fabric.open("shm:" + pool + "?nodes=3");
                FileChannel meta = FileChannel.open(
                        pool.resolve("node-0").resolve("meta"), StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared()) {
            leave(meta.map(FileChannel.MapMode.READ_WRITE, 0, NodeLayout.BYTES, arena), 1);
            lastOneWorks(fabric);
            assertRefused(assertThrows(FabricException.class, () -> Fabric.open("shm:" + pool)));
        }
    }

    /**
     * The first node gives the numbers, and it is lost. It gave some to sessions that had attached at no other node, so
     * no other node knows them. The next first node skips numbers. One that is given twice would name two sessions.
     */
    @Test
    void numbersThatOnlyALostFirstNodeKnewAreNotGivenAgain() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 3);
            SimRosters rosters = new SimRosters(fabric, 0, 3, 2, LEASE_NANOS);
            PoolOptions options = new PoolOptions("ford", 2, 3, 64 * 1024, 4, 4096);
            simulation.start(simulation.machine("m", 1), "m", () -> {
                PoolAccess.open(rosters.client(), options, Protocols.named("ford"))
                        .close();
                int known = 0;
                for (int i = 0; i < GIVEN; i++) known = fabric.memory(0).nextSession();
                rosters.crash(0);
                Waiting.pause(2 * LEASE_NANOS);
                Steward steward = new Steward(rosters.client(), options, Protocols.named("ford"));
                while (steward.tend() || rosters.now().members().size() > 2) Waiting.pause(LEASE_NANOS);

                try (Tidepool pool = PoolAccess.open(rosters.client(), options, Protocols.named("ford"))) {
                    assertTrue(pool.sessionNumber() > known, pool.sessionNumber() + " after " + known);
                }
            });
            simulation.run();
        }
    }

    private static void leave(MemorySegment meta, int numbers) {
        Words.volatileSet(meta, NodeLayout.NEXT_SESSION, LAST + 1 - numbers);
    }

    private static void lastOneWorks(Fabric fabric) {
        try (Tidepool last = PoolAccess.open(fabric, Tables.pool("ford", 1))) {
            assertEquals(LAST, last.sessionNumber());
            Table<Row> rows = last.table("rows", Row.class, 4);
            last.transact(tx -> rows.insert(tx, Row.of(1, 1)));
            for (int i = 0; i < 3; i++)
                assertRefused(
                        assertThrows(FabricException.class, () -> PoolAccess.open(fabric, Tables.pool("ford", 1))));
            last.transact(tx -> rows.update(tx, 1).set(Row.of(1, 2)));
            assertEquals(2, last.compute(tx -> rows.get(tx, 1)).value());
        }
    }

    private static void assertRefused(FabricException e) {
        assertTrue(e.getMessage().contains("all 2^23 session numbers of this pool are used"), e.getMessage());
    }
}
