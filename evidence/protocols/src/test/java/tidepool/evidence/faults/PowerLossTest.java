package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.testkit.Effort;

/** Row M2: clusters that lose their power, many seeds; {@code -Dtidepool.seed=N} sets the first seed. */
class PowerLossTest {
    private static final long FIRST = Effort.firstSeed();
    private static final long SEEDS = Effort.of(20, 200, 20_000);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void whatWasReportedOutlastsThePower() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawnWithPower(seed)));
        System.out.println(all);

        if (Effort.current() != Effort.QUICK) assertEquals(List.of(), all.missing(ClusterReport.EXPECTED_WITH_POWER));
    }
}
