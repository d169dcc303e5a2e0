package tidepool.evidence.litmus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidepool.evidence.redo.RedoBug;

/**
 * Planted bugs that rarely show in clusters of FaRM and DrTM+H, caught by plan. The table is in {@code
 * docs/evidence/planted-bugs.md}.
 */
@Tag("full")
class RedoPlantedLitmusTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @CsvSource({
        "farm, write-skew, VALIDATION_SAMPLES_VERSION_FIRST",
        "drtmh, write-skew, VALIDATION_SAMPLES_VERSION_FIRST",
        "farm, strict-reader-new-key, LOOKUP_WITHOUT_BRACKET",
        "drtmh, strict-reader-new-key, LOOKUP_WITHOUT_BRACKET",
        "farm, log-slot-reuse, LOG_SLOT_REUSED_TOO_EARLY",
        "drtmh, log-slot-reuse, LOG_SLOT_REUSED_TOO_EARLY",
        "farm, taken-meanwhile, RECOVERY_UNLOCKS_FIRST",
        "drtmh, taken-meanwhile, RECOVERY_UNLOCKS_FIRST",
    })
    void isCaught(String protocol, String scene, RedoBug bug) {
        Caught caught = Caught.byPlan(Scenes.named(scene), bug.in(protocol));
        System.out.println("| " + protocol + " | " + scene + " | " + bug + " | " + caught + " |");

        assertTrue(caught.isCaught(), bug + " was not caught in " + scene + " of " + protocol);
    }
}
