package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.check.cluster.CrashScene.Death;
import tidepool.check.cluster.PowerScene.Shape;
import tidepool.fabric.sim.CrashPoint.When;
import tidepool.protocol.ford.PowerBug;
import tidepool.store.Flush;

/**
 * Bugs that only a loss of power can show are found by clusters that lose it, or at the enumerated points;
 * {@code docs/planted-bugs.md} has the table. A night looks longer.
 */
@Tag("full")
class PlantedPowerTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Five bugs neither clusters nor points have met so far: {@link PowerPlotTest} has a plot for each. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "GUESSED_LOG_IS_BELIEVED",
                "RECOVERY_PUBLISHES_WHAT_IS_NOT_FLUSHED",
                "RECOVERY_DOES_NOT_FLUSH_WHAT_IT_RESTORED",
                "RECOVERY_RESTORES_WITHOUT_A_MARK",
                "RESTART_BLAMES_THE_EARLIER"
            })
    void isFound(PowerBug bug) {
        String scenes = scenes(bug);
        String seeds = scenes == null || PlantedSearch.isPatient() ? seeds(bug) : null;
        System.out.println("| " + bug + " | " + seeds + " | " + scenes + " |");

        assertTrue(scenes != null || seeds != null, bug + " was not found");
    }

    private static String seeds(PowerBug bug) {
        return PlantedSearch.firstFailure(
                PlantedSearch.SEEDS, seed -> ClusterOptions.withPower(ClusterOptions.drawn(seed), Flush.SELECTIVE)
                        .withProtocol(bug));
    }

    /** At which scene the checks found something. */
    private static String scenes(PowerBug bug) {
        boolean repairerToo = bug == PowerBug.RESTART_CLEARS_LOGS_TOO_EARLY;
        int scenes = 0;
        try {
            for (int seed = 1; seed <= 6; seed++)
                for (Shape shape : new Shape[] {Shape.UPDATE_TWO_PARTITIONS, Shape.INSERT})
                    for (When when : When.values())
                        for (long verb = 0; ; verb++) {
                            Death victim = new Death(verb, when);
                            Death repairer = repairerToo ? new Death(20 + (11 * verb + seed) % 60, When.AFTER) : null;
                            scenes++;
                            ClusterReport report = PowerScene.play(
                                    shape,
                                    bug == PowerBug.ONE_BACKUP_IS_ENOUGH ? 3 : 2,
                                    seed + 7 * verb,
                                    seed % 2 == 0 ? PowerPointsTest.EVICTING : PowerPointsTest.KEEPING,
                                    victim,
                                    repairer,
                                    bug);
                            if (report == null && repairer == null) break;
                            if (verb > 100) break;
                        }
        } catch (ClusterFailure found) {
            return scenes + " (" + found.getMessage() + ")";
        }
        return null;
    }
}
