package tidepool.evidence.litmus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidepool.evidence.hdtx.HdtxBug;

/**
 * Planted bugs that rarely show in clusters of HDTX, caught by plan. The table is in {@code
 * docs/evidence/planted-bugs.md}.
 */
@Tag("full")
class HdtxPlantedLitmusTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @CsvSource({
        "write-skew, VALIDATION_SAMPLES_VERSION_FIRST",
        "write-skew, VALIDATION_IGNORES_LOCKS",
    })
    void isCaught(String scene, HdtxBug bug) {
        Caught caught = Caught.byPlan(Scenes.named(scene), bug);
        System.out.println("| hdtx | " + scene + " | " + bug + " | " + caught + " |");

        assertTrue(caught.isCaught(), bug + " was not caught in " + scene);
    }
}
