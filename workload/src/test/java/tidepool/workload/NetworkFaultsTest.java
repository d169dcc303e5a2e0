package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Processes on memory nodes that are processes, too: some are killed, and every fault of the network happens to some.
 * {@code ./tidepool crashtest --fabric tcp --kills 300} and {@code --kills 20 --faults 200} are the campaigns.
 */
class NetworkFaultsTest {
    @Test
    @Timeout(600)
    void nothingIsLostWhateverTheNetworkDoes() throws Exception {
        long seed = Long.getLong("killSeed", 20);
        int faults = Integer.getInteger("faults", Fault.values().length);
        CrashPlan plan = new CrashPlan("tcp", Integer.getInteger("kills", 4), faults, 3, seed);

        CrashResult result = new KillCampaign(plan, line -> {}).run();

        System.out.print(result.text());
        assertTrue(
                result.holds(),
                () -> result.text() + "\nrepeat with ./tidepool test -Dtest=NetworkFaultsTest -DkillSeed=" + seed);
        assertEquals(faults, result.faults().values().stream().mapToInt(i -> i).sum());
        assertTrue(result.finished() + result.undone() + result.freed() > 0, "nothing was left: " + result.text());
    }
}
