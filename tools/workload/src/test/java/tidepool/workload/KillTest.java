package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.testkit.Effort;

/**
 * Real processes, really killed. {@code ./tidepool crashtest --kills 300} is the campaign.
 */
@Tag("process")
class KillTest {
    @Test
    void nothingIsLostWhenProcessesAreKilledAtRandomMoments() throws Exception {
        long seed = 19 + Effort.firstSeed();
        CrashPlan plan = new CrashPlan("shm", Effort.of(5, 20, 300), 0, 4, seed);
        CrashResult result = new KillCampaign(plan, line -> {}).run();

        System.out.print(result.text());
        assertTrue(
                result.holds(),
                () -> result.text() + "\nrepeat with ./tidepool test -Dtest=KillTest -Dtidepool.seed="
                        + Effort.firstSeed());
        assertTrue(result.times().firstCommit().count() > 0, "no kill left a key locked: " + result.text());
        assertTrue(result.finished() + result.undone() + result.freed() > 0, "no kill left anything: " + result.text());
    }
}
