package tidepool.evidence.faults;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.ford.ScanBug;

/**
 * Bugs that let phantoms through are found by the histories of clusters that scan; {@code
 * docs/evidence/planted-bugs.md} has the table.
 */
class PlantedScansTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void isFound(ScanBug bug) {
        PlantedSeeds.isCaught("scans/" + bug, PlantedTrials.clusters(PlantedTrials.SEEDS, bug::cluster));
    }
}
