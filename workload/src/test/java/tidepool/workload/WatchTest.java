package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.workload.site.Site;

/** Processes that die where nobody meets what they left. */
class WatchTest {
    private static final int MANY = 20_000;

    /** A pool, and workers that open it and then do nothing. */
    private static Playground idleWorkers() {
        Playground ground = new Playground(Site.on("shm"), 1, 0, 0, 10, 2, 0, 10);
        ground.load();
        return ground;
    }

    /** Who dies idle stands in nobody's way, and keeps a place that others may need one day. */
    @Test
    void whoDiesIdleIsRecoveredByThoseWhoWork() throws Exception {
        try (Playground ground = idleWorkers();
                Tidepool working = Tidepool.open(ground.options().url())) {
            SmallBank bank = new SmallBank(working, 10, 2);
            int dead = killIdle(ground);

            while (isListed(working.fabric(), dead)) work(bank);

            assertTrue(working.statistics().recoveries() >= 1);
        }
    }

    /** It can be switched off; then only who opens the pool, or meets a lock, looks for the dead. */
    @Test
    void whoDoesNotWatchRecoversNobodyItDoesNotMeet() throws Exception {
        try (Playground ground = idleWorkers();
                Tidepool working = Tidepool.open(ground.options().url() + "&watch=off")) {
            SmallBank bank = new SmallBank(working, 10, 2);
            int dead = killIdle(ground);

            for (int i = 0; i < MANY; i++) work(bank);

            assertTrue(isListed(working.fabric(), dead));
            working.recoverAll();
            assertFalse(isListed(working.fabric(), dead));
        }
    }

    /** Recovery is rehearsed when a pool is opened, with a session of which nothing may be left. */
    @Test
    void rehearsalLeavesNothing() throws Exception {
        try (Playground ground = idleWorkers()) {
            Fabric fabric = ground.pool().fabric();
            int[][] before = sessions(fabric);

            Tidepool opened = Tidepool.open(ground.options().url());
            int[][] meanwhile = sessions(fabric);
            int own = opened.sessionNumber();
            opened.close();

            for (int node = 0; node < fabric.nodes(); node++) {
                int[] expected = Arrays.copyOf(before[node], before[node].length + 1);
                expected[expected.length - 1] = own;
                assertArrayEquals(expected, meanwhile[node], "node " + node);
            }
            assertTrue(ground.examine().quiet().holds());
        }
    }

    private static int killIdle(Playground ground) throws InterruptedException {
        WorkerProcess idle = ground.start();
        idle.awaitReady();
        assertTrue(isListed(ground.pool().fabric(), idle.session()));
        ground.kill(idle);
        idle.bury();
        return idle.session();
    }

    private static void work(SmallBank bank) {
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
