package tidepool.evidence.ford;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.faults.PlantedSeeds;
import tidepool.evidence.faults.PlantedTrials;

/**
 * Tests that the unmodified cluster simulation finds planted bugs; {@code docs/evidence/planted-bugs.md} has the table.
 */
class PlantedBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /**
     * Two bugs are excluded. One needs a reader that pauses between two samples of one trip, which a litmus scene does
     * by plan. The other needs a recoverer that dies: {@code PlantedCrashTest}.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"READ_BY_THE_BACKUPS_VERSION", "RECOVERY_UNLOCKS_ONE_BY_ONE"})
    void isFound(PlantedBug bug) {
        PlantedSeeds.isCaught("ford/" + bug, PlantedTrials.clusters(bug));
    }
}
