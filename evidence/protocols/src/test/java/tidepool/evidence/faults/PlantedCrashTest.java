package tidepool.evidence.faults;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.ford.PlantedBug;
import tidepool.evidence.redo.RedoBug;

/** Bugs of commit and recovery are found at the enumerated crash points too; one of them only there. */
class PlantedCrashTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "NO_INTENT",
                "LOG_AFTER_DATA",
                "LOG_ON_ANOTHER_CONNECTION",
                "RECOVERY_ALWAYS_ROLLS_BACK",
                "RECOVERY_ASKS_THE_PRIMARY_ONLY",
                "RECOVERY_UNLOCKS_ONE_BY_ONE",
                "RECOVERY_RESTORES_NOTHING",
                "RECOVERY_WITHOUT_REVOCATION",
                "RECOVERY_LEAVES_STRAGGLERS"
            })
    void isFoundAtACrashPoint(PlantedBug bug) {
        boolean recovererDies = bug == PlantedBug.RECOVERY_UNLOCKS_ONE_BY_ONE;
        PlantedSeeds.isCaught(
                "ford-crash/" + bug,
                recovererDies ? PlantedTrials.crashPointsOfRecoverers(bug) : PlantedTrials.crashPoints(bug));
    }

    @ParameterizedTest
    @CsvSource({
        "farm, NO_INTENT",
        "drtmh, NO_INTENT",
        "farm, UNLOCK_BEFORE_VISIBLE",
        "drtmh, UNLOCK_BEFORE_VISIBLE",
        "farm, LOGS_ARE_NOT_AWAITED",
        "drtmh, LOGS_ARE_NOT_AWAITED",
        "farm, RECOVERY_DROPS_WHAT_IS_LOGGED",
        "drtmh, RECOVERY_DROPS_WHAT_IS_LOGGED",
        "farm, RECOVERY_ROLLS_FORWARD_WITH_A_LOG_MISSING",
        "drtmh, RECOVERY_ROLLS_FORWARD_WITH_A_LOG_MISSING",
        "farm, RECOVERY_WRITES_PRIMARIES_ONLY",
        "drtmh, RECOVERY_WRITES_PRIMARIES_ONLY",
        "farm, RECOVERY_LEAVES_MARKS",
        "drtmh, RECOVERY_LEAVES_MARKS",
        "farm, RECOVERY_LEAVES_STRAGGLERS",
        "drtmh, RECOVERY_LEAVES_STRAGGLERS",
        "drtmh, RECOVERY_WITHOUT_REVOCATION"
    })
    void redoIsFoundAtACrashPoint(String protocol, RedoBug bug) {
        PlantedSeeds.isCaught(protocol + "-crash/" + bug, PlantedTrials.crashPoints(bug.in(protocol)));
    }
}
