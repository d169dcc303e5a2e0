package tidepool.protocol.ford;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.check.cluster.ClusterFailure;
import tidepool.check.cluster.ClusterOptions;
import tidepool.check.cluster.ClusterSimulation;

/** The unmodified cluster simulation finds each planted bug; {@code docs/planted-bugs.md} has the table. */
class PlantedBugsTest {
    private static final long SEEDS = Long.getLong("planted.seeds", 2_000);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void isFound(PlantedBug bug) {
        String found = firstFailure(bug, SEEDS);
        System.out.println("| " + bug + " | " + found + " |");

        assertTrue(found != null, bug + " was not found in " + SEEDS + " seeds");
    }

    /** What the first seed that fails says; null if none does. */
    static String firstFailure(PlantedBug bug, long seeds) {
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(bug::ford));
            } catch (ClusterFailure e) {
                return e.getMessage();
            }
        }
        return null;
    }
}
