package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tidepool.tcp.journal.Durability;

/**
 * Real memory nodes with journals, really killed, all at once. {@code ./tidepool crashtest --fabric tcp --power 20} is the
 * campaign.
 */
class PowerTest {
    @Test
    @Timeout(300)
    void nothingAcknowledgedIsLostWhenAllNodesAreKilledAtOnce() throws Exception {
        long seed = Long.getLong("powerSeed", 5);
        int losses = Integer.getInteger("powerLosses", 2);
        PowerCampaign.Result result = new PowerCampaign(losses, Durability.STRICT, seed, line -> {}).run();

        System.out.print(result.text());
        assertTrue(
                result.holds(),
                () -> result.text() + "\nrepeat with ./tidepool test -Dtest=PowerTest -DpowerSeed=" + seed);
    }
}
