package tidepool.protocol.ford;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.check.cluster.PlantedSeeds;
import tidepool.check.cluster.PlantedTrials;

/** The unmodified cluster simulation finds planted bugs; {@code docs/planted-bugs.md} has the table. */
class PlantedBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /**
     * One needs a reader that stands still between two samples of one trip: a litmus scene has that by plan. One needs a
     * recoverer that dies: {@code PlantedCrashTest}.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"READ_BY_THE_BACKUPS_VERSION", "RECOVERY_UNLOCKS_ONE_BY_ONE"})
    void isFound(PlantedBug bug) {
        PlantedSeeds.isCaught("ford/" + bug, PlantedTrials.clusters(bug));
    }
}
