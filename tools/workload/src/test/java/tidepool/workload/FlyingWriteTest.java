package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tidepool.fabric.VerbKind;
import tidepool.spi.PoolAccess;
import tidepool.workload.proxy.DeafNodes;
import tidepool.workload.proxy.FaultProxy;
import tidepool.workload.proxy.HeldFrame;
import tidepool.workload.site.TcpSite;

/**
 * A process sends a write and dies, or is stopped. The write is flying so long that others have taken over its locks
 * and have committed. Then it arrives. It must change nothing.
 */
@Timeout(900) // nine processes one after the other, on a machine that may have other things to do
@Tag("full")
@Tag("process")
class FlyingWriteTest {
    private static final int CUSTOMERS = 8;
    private static final int ENOUGH_COMMITS = 100;

    /** One teller each, and a few customers, so that all conflict. */
    private static WorkerSite workerSite() {
        WorkerSite workerSite =
                new WorkerSite(TcpSite.maker(TcpSite.Nodes.PROXIED), 1, 1, 0, CUSTOMERS, CUSTOMERS, 0, 10);
        workerSite.load();
        return workerSite;
    }

    private static List<FaultProxy> proxies(WorkerSite workerSite, WorkerProcess worker) {
        return ((TcpSite) workerSite.site()).proxies(worker.options().number());
    }

    @Test
    void aWriteThatArrivesAfterTheTakeoverChangesNothing() throws Exception {
        try (WorkerSite workerSite = workerSite()) {
            WorkerProcess survivor = workerSite.start();
            survivor.awaitReady();
            for (VerbKind kind : List.of(VerbKind.CAS, VerbKind.WRITE)) {
                for (int node = 0; node < PoolAccess.fabric(workerSite.pool()).nodes(); node++) {
                    WorkerProcess victim = workerSite.start();
                    victim.awaitReady();
                    HeldFrame held = fly(workerSite, victim, node, kind);
                    victim.close();
                    awaitTakeover(workerSite, survivor, held);

                    long takenOver = System.nanoTime();
                    HeldFrame.Fate fate = held.release();

                    assertTrue(held.leftNanos() > takenOver, "it flew past the takeover");
                    assertFalse(held.isAnswered(), kind + " at node " + node + ", " + fate);
                    victim.bury();
                }
            }
            survivor.stop();

            requireSound(workerSite);
        }
    }

    /** One that was only slow finds out, and is welcome again. */
    @Test
    void aWriteOfOneThatStoodStillChangesNothing() throws Exception {
        try (WorkerSite workerSite = workerSite()) {
            WorkerProcess survivor = workerSite.start();
            WorkerProcess slow = workerSite.start();
            survivor.awaitReady();
            slow.awaitReady();
            HeldFrame held = fly(workerSite, slow, 0, VerbKind.WRITE);
            slow.stall();
            int session = held.session();
            awaitTakeover(workerSite, survivor, held);
            survivor.stop();
            List<Long> before = PoolImage.of(PoolAccess.fabric(workerSite.pool()));

            held.release();

            assertFalse(held.isAnswered());
            assertEquals(before, PoolImage.of(PoolAccess.fabric(workerSite.pool())));
            slow.goOn();
            await(() -> slow.session() != session);
            long commits = slow.commits();
            await(() -> slow.commits() > commits);
            assertTrue(slow.complaints().contains("session " + session + " was revoked"), slow.complaints());
            slow.stop();
            requireSound(workerSite);
        }
    }

    /** The test with nodes that do not fence: the assertion above does not hold then. */
    @Test
    void nodesThatDoNotFenceAreFoundOut() throws Exception {
        try (WorkerSite workerSite = workerSite()) {
            WorkerProcess survivor = workerSite.start();
            WorkerProcess victim = workerSite.start();
            survivor.awaitReady();
            victim.awaitReady();
            DeafNodes.plant(proxies(workerSite, survivor));
            HeldFrame held = fly(workerSite, victim, 0, VerbKind.WRITE);
            victim.close();
            awaitTakeover(workerSite, survivor, held);
            survivor.stop();
            List<Long> before = PoolImage.of(PoolAccess.fabric(workerSite.pool()));

            held.release();

            assertTrue(held.isAnswered());
            assertNotEquals(before, PoolImage.of(PoolAccess.fabric(workerSite.pool())));
        }
    }

    /** Holds the next frame of a worker to a node that has such a verb. */
    private static HeldFrame fly(WorkerSite workerSite, WorkerProcess worker, int node, VerbKind kind)
            throws Exception {
        HeldFrame held = proxies(workerSite, worker).get(node).hold(frame -> frame.verbs()
                .contains(kind));
        held.awaitCaught();
        return held;
    }

    /**
     * Waits until another session has repaired the locks of the frame's sender, and others have then committed on these
     * accounts. On a busy machine a sender may have been suspected before it was killed: then it has repaired them
     * itself, in another session.
     */
    private static void awaitTakeover(WorkerSite workerSite, WorkerProcess survivor, HeldFrame held)
            throws InterruptedException {
        await(() -> workerSite.workers().stream()
                .flatMap(worker -> worker.recoveries().stream())
                .anyMatch(recovered -> recovered.session() == held.session()));
        long commits = survivor.commits();
        await(() -> survivor.commits() > commits + ENOUGH_COMMITS);
    }

    private static void requireSound(WorkerSite workerSite) throws Exception {
        WorkerSite.SiteFindings findings = workerSite.examine();
        assertEquals(List.of(), findings.audit().wrong());
        assertEquals(List.of(), findings.quiet().problems());
        assertEquals(List.of(), findings.leftAtNodes());
    }

    private static void await(BooleanSupplier done) throws InterruptedException {
        while (!done.getAsBoolean()) TimeUnit.MILLISECONDS.sleep(5);
    }
}
