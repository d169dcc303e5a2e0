package tidepool.evidence.motor;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.faults.PlantedSeeds;
import tidepool.evidence.faults.PlantedTrials;

/**
 * Tests that the cluster simulation finds bugs planted in Motor. The table is in {@code docs/evidence/planted-bugs.md}.
 */
class MotorPlantedBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /**
     * Two bugs are excluded. One needs a writer that dies between two verbs of one read ({@code UndoneWriterTest}), the
     * other a crash point during a snapshot ({@code SnapshotCrashPointsTest}).
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NEWEST_READ_AFTER_ITS_LOCK", "STAMP_AFTER_THE_HEAD"})
    void isFound(MotorBug bug) {
        PlantedSeeds.isCaught("motor/" + bug, PlantedTrials.clusters(bug));
    }
}
