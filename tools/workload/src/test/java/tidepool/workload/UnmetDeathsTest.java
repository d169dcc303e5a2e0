package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.spi.PoolAccess;
import tidepool.workload.site.Site;

/** Processes that die where no transaction meets their locks. */
class UnmetDeathsTest {
    private static final int MANY = 20_000;

    /** A pool, and workers that open it and then do nothing. */
    private static WorkerSite idleWorkers() {
        WorkerSite workerSite = new WorkerSite(Site.on("shm"), 1, 0, 0, 10, 2, 0, 10);
        workerSite.load();
        return workerSite;
    }

    /** A session that dies idle blocks no transaction, but keeps a log area that others may need. */
    @Test
    void whoDiesIdleIsRecoveredByThoseWhoWork() throws Exception {
        try (WorkerSite workerSite = idleWorkers();
                Tidepool working = Tidepool.open(workerSite.options().url())) {
            AuditedBank bank = new AuditedBank(working, 10, 2);
            int dead = killIdle(workerSite);

            while (isListed(PoolAccess.fabric(working), dead)) work(bank);

            assertTrue(working.statistics().recoveries() >= 1);
        }
    }

    /**
     * The watch can be switched off. Then dead sessions are looked for only at the opening of the pool and at a lock.
     */
    @Test
    void withoutAWatchOnlySessionsThatAreMetAreRecovered() throws Exception {
        try (WorkerSite workerSite = idleWorkers();
                Tidepool working = Tidepool.open(workerSite.options().url() + "&watch=off")) {
            AuditedBank bank = new AuditedBank(working, 10, 2);
            int dead = killIdle(workerSite);

            for (int i = 0; i < MANY; i++) work(bank);

            assertTrue(isListed(PoolAccess.fabric(working), dead));
            working.recoverAll();
            assertFalse(isListed(PoolAccess.fabric(working), dead));
        }
    }

    /** Recovery is rehearsed when a pool is opened, with a session of which nothing may be left. */
    @Test
    void rehearsalLeavesNothing() throws Exception {
        try (WorkerSite workerSite = idleWorkers()) {
            Fabric fabric = PoolAccess.fabric(workerSite.pool());
            int[][] before = sessions(fabric);

            Tidepool opened = Tidepool.open(workerSite.options().url());
            int[][] meanwhile = sessions(fabric);
            int own = opened.sessionNumber();
            opened.close();

            for (int node = 0; node < fabric.nodes(); node++) {
                int[] expected = Arrays.copyOf(before[node], before[node].length + 1);
                expected[expected.length - 1] = own;
                assertArrayEquals(expected, meanwhile[node], "node " + node);
            }
            assertTrue(workerSite.examine().quiet().holds());
        }
    }

    private static int killIdle(WorkerSite workerSite) throws InterruptedException {
        WorkerProcess idle = workerSite.start();
        idle.awaitReady();
        assertTrue(isListed(PoolAccess.fabric(workerSite.pool()), idle.session()));
        workerSite.kill(idle);
        idle.bury();
        return idle.session();
    }

    private static void work(AuditedBank bank) {
        bank.pool.transact(tx -> bank.savings.update(tx, 1).get());
    }

    private static boolean isListed(Fabric fabric, int session) {
        return Arrays.stream(fabric.control(0).sessions()).anyMatch(listed -> listed == session);
    }

    private static int[][] sessions(Fabric fabric) {
        int[][] all = new int[fabric.nodes()][];
        for (int node = 0; node < all.length; node++) {
            all[node] = fabric.control(node).sessions();
            Arrays.sort(all[node]);
        }
        return all;
    }
}
