package tidepool.protocol.redo;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.check.cluster.PlantedSearch;

/**
 * The unmodified cluster simulation finds what is wrong with FaRM and DrTM+H; {@code docs/planted-bugs.md} has the table.
 * Except at night those are tried that take no time.
 */
@Tag("full")
class RedoPlantedBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    private static final Set<RedoBug> QUICK = EnumSet.of(
            RedoBug.VALIDATION_IGNORES_LOCKS,
            RedoBug.NO_VALIDATION,
            RedoBug.NOT_FOUND_IS_NOT_VALIDATED,
            RedoBug.READ_WITHOUT_CHECKSUM,
            RedoBug.READ_WITHOUT_VERSION_MATCH,
            RedoBug.READ_IGNORES_MARK,
            RedoBug.READ_IGNORES_LOCK,
            RedoBug.STALE_ADDRESS_IS_BELIEVED,
            RedoBug.INSERT_DOES_NOT_LOCK_THE_BUCKET,
            RedoBug.BACKUP_RELEASED_BY_WRITE,
            RedoBug.UNLOCK_BEFORE_IMAGES_ANSWERED,
            RedoBug.WRITES_ARE_NOT_VALIDATED,
            RedoBug.VALIDATION_IN_THE_LOCK_ROUND,
            RedoBug.MEMORY_REUSED_TOO_EARLY,
            RedoBug.RECOVERY_IGNORES_WHO_HOLDS_THE_LOCK);

    /** Not met in any number of seeds that was tried: {@code PlantedCrashTest} and the litmus tests find them. */
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
        assumeTrue(PlantedSearch.isPatient() || QUICK.contains(bug));
        String found = PlantedSearch.firstFailure(bug.in(protocol));
        System.out.println("| " + protocol + " | " + bug + " | " + found + " |");

        assertNotNull(found, bug + " was not found in " + PlantedSearch.SEEDS + " seeds of " + protocol);
    }
}
