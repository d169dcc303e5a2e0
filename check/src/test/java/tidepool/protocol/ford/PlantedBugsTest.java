package tidepool.protocol.ford;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.check.cluster.PlantedSearch;

/**
 * The unmodified cluster simulation finds planted bugs; {@code docs/planted-bugs.md} has the table. Those that need more
 * than a few hundred seeds are only tried at night.
 */
@Tag("full")
class PlantedBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    private static final Set<PlantedBug> SLOW = EnumSet.of(
            PlantedBug.VALIDATION_SAMPLES_VERSION_FIRST,
            PlantedBug.LOOKUP_WITHOUT_BRACKET,
            PlantedBug.READ_IGNORES_LOCK,
            PlantedBug.NO_INTENT, // found at once, by a transaction that waits for ten virtual seconds
            PlantedBug.LOG_ON_ANOTHER_CONNECTION,
            PlantedBug.RECOVERY_ASKS_THE_PRIMARY_ONLY,
            PlantedBug.OVERFLOW_COUNT_IS_NOT_LOCKED,
            PlantedBug.RECOVERY_UNLOCKS_ONE_BY_ONE,
            PlantedBug.RECOVERY_ASKS_ABOUT_WHAT_WAS_RELEASED,
            PlantedBug.RECOVERY_WITHOUT_REVOCATION,
            PlantedBug.RECOVERY_LEAVES_STRAGGLERS);

    /** Somebody has to stand still between two samples of one trip: a scene has that by plan. */
    private static final Set<PlantedBug> BY_PLAN = EnumSet.of(PlantedBug.READ_BY_THE_BACKUPS_VERSION);

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void isFound(PlantedBug bug) {
        assumeTrue(PlantedSearch.isPatient() || !SLOW.contains(bug));
        assumeTrue(!BY_PLAN.contains(bug));
        String found = PlantedSearch.firstFailure(bug);
        System.out.println("| " + bug + " | " + found + " |");

        assertTrue(found != null, bug + " was not found in " + PlantedSearch.SEEDS + " seeds");
    }
}
