package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.hdtx.Hdtx;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/** HDTX's counters tell which side copied the logs to the data: the memory side where it can, else the client. */
class WhoCopiesTest {
    private static final Schema SCHEMA = Schema.parse("count(n:long)");
    private static final PoolOptions POOL = new PoolOptions("hdtx", 2, 1, 64 * 1024, 8, 4096);
    private static final int UPDATES = 10;

    /** One object on two replicas for each update, and at first a bucket's head and a slot on both. */
    private static final long IMAGES = 2 * UPDATES + 4;

    private final List<HdtxCoordinator> coordinators = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void onMemoryOfTheProcessTheClientDoes() {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            assertCopied(fabric, HdtxOptions.Release.MEMORY, 0, IMAGES);
        }
    }

    @Test
    void onSharedMemoryTheClientDoes() {
        try (Fabric fabric = Fabric.open("shm:" + folder.resolve("pool") + "?nodes=2")) {
            assertCopied(fabric, HdtxOptions.Release.MEMORY, 0, IMAGES);
        }
    }

    @Test
    void overTheNetworkTheNodesDo() {
        try (MemoryServer first = MemoryServer.start(NodeOptions.onLoopback("n0", 0, 1 << 26));
                MemoryServer second = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 1 << 26));
                Fabric fabric = Fabric.open("tcp://127.0.0.1:" + first.address().getPort() + ",127.0.0.1:"
                        + second.address().getPort() + "/pool")) {
            assertCopied(fabric, HdtxOptions.Release.MEMORY, IMAGES, 0);
        }
    }

    @Test
    void overTheNetworkTheClientDoesIfItIsAskedTo() {
        try (MemoryServer first = MemoryServer.start(NodeOptions.onLoopback("n0", 0, 1 << 26));
                MemoryServer second = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 1 << 26));
                Fabric fabric = Fabric.open("tcp://127.0.0.1:" + first.address().getPort() + ",127.0.0.1:"
                        + second.address().getPort() + "/pool")) {
            assertCopied(fabric, HdtxOptions.Release.CLIENT, 0, IMAGES);
        }
    }

    @Test
    void inTheSimulatorTheNicDoes() {
        try (Simulation simulation = new Simulation(1)) {
            Fabric fabric = new SimFabric(simulation, 2, CostProfile.named("cx5"), Adversary.NONE);
            boolean[] ended = new boolean[1];
            simulation.start(simulation.machine("client", 2), "client", () -> {
                assertCopied(fabric, HdtxOptions.Release.MEMORY, IMAGES, 0);
                ended[0] = true;
            });
            simulation.run();
            assertEquals(true, ended[0]);
        }
    }

    private void assertCopied(Fabric fabric, HdtxOptions.Release release, long byMemory, long byClient) {
        try (Tidepool pool = PoolAccess.open(fabric, POOL, watched(release))) {
            TableLayout table = PoolAccess.layout(pool.table(SCHEMA, 16));
            pool.transact(tx -> {
                tx.raw().insert(table, 7);
                tx.execute();
            });
            for (int i = 0; i < UPDATES; i++)
                pool.transact(tx -> {
                    tx.raw().update(table, 7);
                    tx.execute();
                });
        }
        assertEquals(byMemory, sum(true), "by memory");
        assertEquals(byClient, sum(false), "by the client");
    }

    private Hdtx watched(HdtxOptions.Release release) {
        return new Hdtx(HdtxOptions.DEFAULT.with(release)) {
            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                HdtxCoordinator made = new HdtxCoordinator(session, catalog, counters, options());
                coordinators.add(made);
                return made;
            }
        };
    }

    private long sum(boolean byMemory) {
        long sum = 0;
        for (HdtxCoordinator c : coordinators)
            sum += byMemory ? c.hdtxCounts().copiedByMemory : c.hdtxCounts().copiedByClient;
        return sum;
    }
}
