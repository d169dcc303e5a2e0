package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.node.journal.Durability;
import tidepool.testkit.Effort;

/**
 * Real memory nodes with journals, really killed, all at once. {@code ./tidepool crashtest --fabric tcp --power 20} is
 * the campaign.
 */
@Tag("process")
class PowerTest {
    @Test
    void nothingAcknowledgedIsLostWhenAllNodesAreKilledAtOnce() throws Exception {
        long seed = 4 + Effort.firstSeed();
        int losses = Effort.of(1, 2, 20);
        PowerCampaign.Result result = new PowerCampaign(losses, Durability.STRICT, seed, line -> {}).run();

        System.out.print(result.text());
        assertTrue(
                result.holds(),
                () -> result.text() + "\nrepeat with ./tidepool test -Dtest=PowerTest -Dtidepool.seed="
                        + Effort.firstSeed());
    }
}
