package tidepool.evidence.redo;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.evidence.faults.PlantedSeeds;
import tidepool.evidence.faults.PlantedTrials;

/**
 * Tests that the unmodified cluster simulation finds bugs planted in FaRM and DrTM+H; {@code
 * docs/evidence/planted-bugs.md} has the table.
 */
class RedoPlantedBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** Bugs that no tried number of seeds has found: {@code PlantedCrashTest} and the litmus tests find them. */
    private static final Map<String, Set<RedoBug>> ELSEWHERE = Map.of(
            "farm",
            EnumSet.of(RedoBug.LOG_SLOT_REUSED_TOO_EARLY),
            "drtmh",
            EnumSet.of(RedoBug.RECOVERY_LEAVES_STRAGGLERS, RedoBug.RECOVERY_WITHOUT_REVOCATION));

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    static Stream<Arguments> planted() {
        return Stream.of("farm", "drtmh").flatMap(protocol -> Stream.of(RedoBug.values())
                .filter(bug -> bug.isIn(protocol) && !ELSEWHERE.get(protocol).contains(bug))
                .map(bug -> Arguments.of(protocol, bug)));
    }

    @ParameterizedTest
    @MethodSource("planted")
    void isFound(String protocol, RedoBug bug) {
        PlantedSeeds.isCaught(protocol + "/" + bug, PlantedTrials.clusters(bug.in(protocol)));
    }
}
