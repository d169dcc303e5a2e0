package tidepool.evidence.hdtx;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.evidence.faults.PlantedSeeds;
import tidepool.evidence.faults.PlantedTrials;

/**
 * Tests that clusters whose memory nodes die find bugs planted in HDTX's reconfiguration: {@code
 * docs/evidence/planted-bugs.md}.
 */
class HdtxPlantedNodesTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void isFound(HdtxNodeBug bug) {
        PlantedSeeds.isCaught("hdtx-nodes/" + bug, PlantedTrials.clusters(PlantedTrials.SEEDS, bug::cluster));
    }
}
