package tidepool.evidence.hdtx;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.faults.PlantedSeeds;
import tidepool.evidence.faults.PlantedTrials;
import tidepool.testkit.Effort;

/**
 * Tests that the cluster simulation finds bugs planted in HDTX. The table is in {@code docs/evidence/planted-bugs.md}.
 */
class HdtxPlantedBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "VALIDATION_IGNORES_LOCKS",
                "TICKETS_GRANT",
                "UNLOCK_BEFORE_COPY",
                "DESCRIPTOR_REPLAYED",
                "REPLAY_ENDS_IN_ANOTHER_LOG",
                "VISIBLE_BEFORE_COPY",
                "VISIBLE_ONE_BY_ONE",
                "NO_INTENT",
                "RECOVERY_CARRIES_OUT_WITH_A_LOG_MISSING",
                "RECOVERY_DROPS_ALWAYS",
                "RECOVERY_LEAVES_MARKS",
                "RECOVERY_IGNORES_WHO_HOLDS_THE_LOCK"
            })
    void isFoundInACluster(HdtxBug bug) {
        PlantedSeeds.isCaught("hdtx/" + bug, PlantedTrials.clusters(bug));
    }

    /**
     * A guarded replay does no harm. So the bugs found with a replay come from the missing guard, or from a slot that
     * was used again under it.
     */
    @Test
    void aReplayIsStoppedByItsGuard() {
        PlantedTrials replays = PlantedTrials.clusters(HdtxBug.DESCRIPTOR_REPLAYED_AFTER_ITS_GUARD);
        Effort.seeds(5, 20, 100).forEach(seed -> assertNull(replays.play(Long.toString(seed))));
    }
}
