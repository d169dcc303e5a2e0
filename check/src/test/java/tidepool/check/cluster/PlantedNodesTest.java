package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.check.cluster.NodeScene.Plan;
import tidepool.check.cluster.NodeScene.Shape;
import tidepool.protocol.ford.NodeBug;

/**
 * Bugs that only the loss of a memory node can show are found by clusters that lose some; {@code docs/planted-bugs.md} has the
 * table. Those that need more than a few dozen seeds are only tried at night.
 */
@Tag("full")
class PlantedNodesTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    private static final Set<NodeBug> SLOW = EnumSet.of(
            NodeBug.NOBODY_IS_SHUT_OUT, // found at once, and it takes minutes: everybody goes on in the old epoch
            NodeBug.STALE_EPOCH_IS_ACCEPTED,
            NodeBug.REFILL_COPIES_WHAT_IT_SAW_BEFORE,
            NodeBug.LOGS_ARE_CLEARED_TOO_EARLY); // found at once, by a transaction that waits for ten virtual seconds

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Of the others one has no cluster, and one a scene of its own: {@link BelievedNodeTest}, and below. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NOBODY_WAITS_UNTIL_IT_IS_NOT_BELIEVED", "LOCKS_STAY"})
    void isFound(NodeBug bug) {
        assumeTrue(PlantedSearch.isPatient() || !SLOW.contains(bug));
        String found = PlantedSearch.firstFailure(PlantedSearch.SEEDS, bug::cluster);
        System.out.println("| " + bug + " | " + found + " |");

        assertTrue(found != null, bug + " was not found in " + PlantedSearch.SEEDS + " seeds");
    }

    /** The first verb of a transaction is its lock: the node dies behind it, and somebody waits for ten virtual seconds. */
    @Test
    void locksThatStayAreFoundAtTheFirstVerb() {
        assumeTrue(PlantedSearch.isPatient());
        NodeDeath death = new NodeDeath("victim", 0, 0, NodeDeath.When.AFTER, false);
        Plan plan = new Plan(Shape.UPDATE_TWO_AND_READ, 2, 2, 1, ClusterOptions.DEATHS, null, null, List.of(death));

        ClusterFailure found = assertThrows(ClusterFailure.class, () -> NodeScene.play(plan, NodeBug.LOCKS_STAY));

        assertTrue(found.getMessage().contains("lastReason=LOCKED"), found.getMessage());
    }
}
