package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.check.cluster.CrashScene.Death;
import tidepool.check.cluster.CrashScene.Shape;
import tidepool.fabric.sim.CrashPoint.When;
import tidepool.protocol.ford.PlantedBug;

/** Bugs of commit and recovery are found at the enumerated crash points too; one of them only there. */
class PlantedCrashTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int SEEDS = 20;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "NO_INTENT",
                "LOG_BEHIND_DATA",
                "LOG_ON_ANOTHER_CONNECTION",
                "RECOVERY_ALWAYS_ROLLS_BACK",
                "RECOVERY_ASKS_THE_PRIMARY_ONLY",
                "RECOVERY_UNLOCKS_ONE_BY_ONE",
                "RECOVERY_RESTORES_NOTHING",
                "RECOVERY_WITHOUT_REVOCATION",
                "RECOVERY_LEAVES_STRAGGLERS"
            })
    void isFoundAtACrashPoint(PlantedBug bug) {
        boolean recovererDies = bug == PlantedBug.RECOVERY_UNLOCKS_ONE_BY_ONE;
        int scenes = recovererDies ? withDyingRecoverer(bug) : scenes(bug);
        System.out.println("| " + bug + " | found at scene " + scenes + " |");

        assertTrue(scenes > 0, bug + " was not found");
    }

    /** How many scenes until one fails; -1 if none does. */
    private static int scenes(PlantedBug bug) {
        int scenes = 0;
        for (int seed = 1; seed <= SEEDS; seed++)
            for (When when : When.values())
                for (long verb = 0; ; verb++) {
                    scenes++;
                    Boolean over = fails(bug, 2, seed, new Death(verb, when), null);
                    if (over == null) return scenes;
                    if (over) break;
                }
        return -1;
    }

    private static int withDyingRecoverer(PlantedBug bug) {
        int scenes = 0;
        for (int seed = 1; seed <= SEEDS; seed++)
            for (long verb = 8; verb < 16; verb++)
                for (long own = 0; ; own++) {
                    scenes++;
                    Boolean over = fails(bug, 1, seed, new Death(verb, When.AFTER), new Death(own, When.AFTER));
                    if (over == null) return scenes;
                    if (over) break;
                }
        return -1;
    }

    /** Null if the checks found something; true if the strand ended before it got to its verb. */
    private static Boolean fails(PlantedBug bug, int replicas, long seed, Death victim, Death recoverer) {
        try {
            return CrashScene.play(
                            Shape.UPDATE_TWO_PARTITIONS,
                            replicas,
                            seed,
                            seed % 2 == 0 ? ClusterOptions.SLOW : ClusterOptions.DEATHS,
                            victim,
                            recoverer,
                            false,
                            bug::ford)
                    == null;
        } catch (ClusterFailure found) {
            return null;
        }
    }
}
