package tidepool.protocol.hdtx;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.check.cluster.PlantedSearch;

/** Clusters whose memory nodes die notice what is wrong with HDTX's change of nodes: {@code docs/planted-bugs.md}. */
@Tag("full")
class HdtxPlantedNodesTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void isFound(HdtxNodeBug bug) {
        String found = PlantedSearch.firstFailure(seeds(bug), bug::cluster);
        System.out.println("| " + bug + " | "
                + (found == null ? "not found" : found.lines().findFirst().get()) + " |");

        assertNotNull(found, bug + " was not found in " + seeds(bug) + " seeds");
    }

    /** That a node dies between the logs of one transaction is rare: one seed in 270. */
    private static long seeds(HdtxNodeBug bug) {
        return bug == HdtxNodeBug.CARRIES_OUT_REGARDLESS ? 4 * PlantedSearch.SEEDS : PlantedSearch.SEEDS;
    }
}
