package tidepool.clusters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tidepool.protocol.Recovery;

/** Every simulated cluster adds up the counts that recoveries and restarts report. */
class ClusterReportTest {
    /** Otherwise a mutant that counts backwards survives, because the sums are only printed. */
    @Test
    void aCounterThatGoesBackwardsIsAFailure() {
        ClusterReport report = new ClusterReport();

        report.add(new Recovery.Restart(3, 0, 2, 1, 0, 0, 0));

        assertEquals(2, report.count("restart finished"));
        assertThrows(ClusterFailure.class, () -> report.add(new Recovery.Restart(3, 0, -1, 1, 0, 0, 0)));
    }
}
