package tidepool.evidence.faults;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.farmv2.FarmV2Bug;

/**
 * Planted bugs of version chains are found: at crash points, or by histories of whole clusters.
 * {@link SnapshotCrashPointsTest} has those that only a snapshot across a recovery shows.
 */
class FarmV2PlantedTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCK_AFTER_THE_MARK", "RECOVERY_WRITES_NO_BLOCK"})
    void isFoundAtACrashPoint(FarmV2Bug bug) {
        PlantedSeeds.isCaught("farmv2-crash/" + bug, PlantedTrials.crashPoints(bug::protocol));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "BLOCK_AFTER_THE_MARK",
                "RECOVERY_WRITES_NO_BLOCK",
                "STAMP_AFTER_THE_HEAD",
                "RECOVERY_WRITES_NO_STAMP"
            })
    void isFoundInACluster(FarmV2Bug bug) {
        PlantedSeeds.isCaught("farmv2/" + bug, PlantedTrials.clusters(bug::protocol));
    }
}
