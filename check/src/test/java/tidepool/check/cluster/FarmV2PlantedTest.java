package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.protocol.farmv2.FarmV2Bug;

/**
 * What can go wrong with chains of versions is found: at crash points, or by histories of whole clusters.
 * {@link SnapshotCrashPointsTest} has those that only a snapshot across a recovery shows.
 */
@Tag("full")
class FarmV2PlantedTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCK_BEHIND_THE_MARK", "RECOVERY_WRITES_NO_BLOCK"})
    void isFoundAtACrashPoint(FarmV2Bug bug) {
        int scenes = PlantedSearch.scenes(bug::protocol);
        System.out.println("| farmv2 | " + bug + " | found at scene " + scenes + " |");

        assertTrue(scenes > 0, bug + " was not found");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "BLOCK_BEHIND_THE_MARK",
                "RECOVERY_WRITES_NO_BLOCK",
                "STAMP_BEHIND_THE_HEAD",
                "RECOVERY_WRITES_NO_STAMP"
            })
    void isFoundInACluster(FarmV2Bug bug) {
        String failure = PlantedSearch.firstFailure(bug::protocol);
        System.out.println("| farmv2 | " + bug + " | " + failure + " |");

        assertNotNull(failure, bug + " was not found");
    }
}
