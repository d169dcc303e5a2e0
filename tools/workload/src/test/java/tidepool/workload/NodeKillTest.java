package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Memory nodes of real processes are killed under real clients; the long run is {@code ./tidepool crashtest --nodes}.
 */
@Tag("full")
@Tag("process")
class NodeKillTest {
    @Test
    void nothingAcknowledgedIsLost() throws Exception {
        NodeKillResult result = new NodeKillCampaign(4, 2, 3, line -> {}).run();

        System.out.println(result.text());
        assertTrue(result.holds(), result::text);
        assertTrue(result.primaries() > 0, result::text);
    }
}
