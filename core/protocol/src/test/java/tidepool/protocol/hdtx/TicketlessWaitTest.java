package tidepool.protocol.hdtx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.sim.Simulation;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * Threads wait for a holder without a ticket. With more threads than cores, a lock that only the head of a queue may
 * take is idle most of the time.
 */
class TicketlessWaitTest {
    private static final int THREADS = 8;
    private static final int ROWS = 4;
    private static final int EACH = 200;

    /** Longer than any wait of this test, on a machine that is as busy as it may be. */
    private static final long ENDLESS = TimeUnit.MINUTES.toNanos(10);

    private static final long LIMIT_SECONDS = 120;

    /** Otherwise threads would wait in queues from the start, or strands would give up their order. */
    @Test
    void onlyThreadsHavePatience() {
        assertEquals(500_000, HdtxOptions.DEFAULT.patienceOfCaller());
        assertEquals(7, HdtxOptions.DEFAULT.withPatience(7).patienceOfCaller());
        assertEquals(0, HdtxOptions.DEFAULT.withPatience(0).patienceOfCaller());
        long[] ofStrand = {-1, -1};
        try (Simulation simulation = new Simulation(1)) {
            simulation.start(simulation.machine("client", 1), "client", () -> {
                ofStrand[0] = HdtxOptions.DEFAULT.patienceOfCaller();
                ofStrand[1] = HdtxOptions.DEFAULT.withPatience(7).patienceOfCaller();
            });
            simulation.run();
        }
        assertEquals(0, ofStrand[0]);
        assertEquals(7, ofStrand[1]);
    }

    /**
     * Eight threads write four rows and give up their core while they hold the lock. A thread that finds it held looks
     * again, and draws no ticket before its patience is over.
     */
    @Test
    void patientThreadsDrawNoTickets() throws Exception {
        Hdtx protocol = new Hdtx(HdtxOptions.DEFAULT.withPatience(ENDLESS));
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            Session session = fabric.attach();
            Catalog catalog = Catalog.open(fabric, session, new PoolOptions("hdtx", 2, 1, 1 << 16, THREADS + 1, 4096))
                    .withRows(protocol::rows);
            TableLayout table = catalog.table(Schema.parse("rows(n:long)"), ROWS);
            TxnCounter counters = new TxnCounter();
            HdtxCoordinator first = (HdtxCoordinator) protocol.coordinator(session, catalog, counters);
            Txn load = first.begin();
            for (long key = 0; key < ROWS; key++) load.insert(table, key);
            assertEquals(Outcome.COMMITTED, load.commit());
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<HdtxCoordinator> coordinators = new ArrayList<>();
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                HdtxCoordinator coordinator = (HdtxCoordinator) protocol.coordinator(session, catalog, counters);
                coordinators.add(coordinator);
                running.add(threads.submit(() -> {
                    start.await(LIMIT_SECONDS, TimeUnit.SECONDS);
                    for (int i = 0; i < EACH; i++) add(coordinator, table, i % ROWS);
                    return null;
                }));
            }
            for (Future<?> one : running) one.get(LIMIT_SECONDS, TimeUnit.SECONDS);

            long tickets = 0;
            long without = 0;
            for (HdtxCoordinator coordinator : coordinators) {
                tickets += coordinator.hdtxCounts().tickets;
                without += coordinator.hdtxCounts().grantedWithoutTicket;
            }
            System.out.println("granted without a ticket " + without + ", tickets " + tickets);
            assertEquals(0, tickets);
            assertTrue(without > 0, "no thread waited");
            Txn reader = first.begin();
            for (long key = 0; key < ROWS; key++) reader.read(table, key);
            assertEquals(Outcome.COMMITTED, reader.commit());
            for (int row = 0; row < ROWS; row++)
                assertEquals(THREADS * EACH / ROWS, Words.plain(reader.memory(), reader.value(row)), "row " + row);
        }
    }

    private static void add(HdtxCoordinator coordinator, TableLayout table, long key) {
        Txn txn = coordinator.begin();
        int access = txn.update(table, key);
        assertTrue(txn.execute(), "refused by " + txn.abortReason());
        Thread.yield();
        long at = txn.value(access);
        Words.plain(txn.memory(), at, Words.plain(txn.memory(), at) + 1);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }
}
