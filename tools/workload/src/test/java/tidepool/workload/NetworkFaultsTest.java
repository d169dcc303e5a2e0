package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.testkit.Effort;

/**
 * Processes on memory nodes that are processes, too: some are killed, and every fault of the network happens to some.
 * {@code ./tidepool crashtest --fabric tcp --kills 300} and {@code --kills 20 --faults 200} are the campaigns.
 */
@Tag("process")
class NetworkFaultsTest {
    @Test
    void nothingIsLostWhateverTheNetworkDoes() throws Exception {
        long seed = 19 + Effort.firstSeed();
        int faults = Effort.of(1, Fault.values().length, 200);
        CrashPlan plan = new CrashPlan("tcp", Effort.of(1, 4, 20), faults, 3, seed);

        CrashResult result = new KillCampaign(plan, line -> {}).run();

        System.out.print(result.text());
        assertTrue(
                result.holds(),
                () -> result.text() + "\nrepeat with ./tidepool test -Dtest=NetworkFaultsTest -Dtidepool.seed="
                        + Effort.firstSeed());
        assertEquals(faults, result.faults().values().stream().mapToInt(i -> i).sum());
        assertTrue(result.finished() + result.undone() + result.freed() > 0, "nothing was left: " + result.text());
    }
}
