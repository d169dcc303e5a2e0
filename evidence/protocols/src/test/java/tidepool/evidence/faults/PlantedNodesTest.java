package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.evidence.faults.NodeScene.Plan;
import tidepool.evidence.faults.NodeScene.Shape;
import tidepool.evidence.ford.NodeBug;

/**
 * Bugs that only the loss of a memory node can show are found by clusters that lose some; {@code
 * docs/evidence/planted-bugs.md} has the table.
 */
class PlantedNodesTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Of the other bugs one has no cluster, and one a scene of its own: {@link BelievedNodeTest}, and below. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NO_WAIT_UNTIL_IT_IS_NOT_BELIEVED", "LOCKS_STAY"})
    void isFound(NodeBug bug) {
        PlantedSeeds.isCaught("nodes/" + bug, PlantedTrials.clusters(PlantedTrials.SEEDS, bug::cluster));
    }

    /**
     * The first verb of a transaction is its lock: the node dies after it, and a client waits for ten virtual seconds.
     */
    @Test
    void locksThatStayAreFoundAtTheFirstVerb() {
        NodeDeath death = new NodeDeath("victim", 0, 0, NodeDeath.When.AFTER, false);
        Plan plan = new Plan(Shape.UPDATE_TWO_AND_READ, 2, 2, 1, ClusterOptions.DEATHS, null, null, List.of(death));

        ClusterFailure found = assertThrows(ClusterFailure.class, () -> NodeScene.play(plan, NodeBug.LOCKS_STAY));

        assertTrue(found.getMessage().contains("lastReason=LOCKED"), found.getMessage());
    }
}
