package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Real processes, really killed. {@code ./tidepool crashtest --kills 300} is the campaign;
 * {@code ./tidepool test -Dtest=KillTest -Dkills=300 -DkillSeed=7} the same as a test.
 */
class KillTest {
    @Test
    @Timeout(600)
    void nothingIsLostWhenProcessesAreKilledAtRandomMoments() throws Exception {
        long seed = Long.getLong("killSeed", 20);
        CrashPlan plan = new CrashPlan("shm", Integer.getInteger("kills", 20), 0, 4, seed);
        CrashResult result = new KillCampaign(plan, line -> {}).run();

        System.out.print(result.text());
        assertTrue(
                result.holds(),
                () -> result.text() + "\nrepeat with ./tidepool test -Dtest=KillTest -DkillSeed=" + seed);
        assertTrue(result.times().firstCommit().count() > 0, "no kill left a key locked: " + result.text());
        assertTrue(result.finished() + result.undone() + result.freed() > 0, "no kill left anything: " + result.text());
    }
}
