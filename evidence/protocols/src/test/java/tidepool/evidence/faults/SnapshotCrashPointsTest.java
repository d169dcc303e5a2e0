package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.evidence.farmv2.FarmV2Bug;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.SnapshotScene.Shape;
import tidepool.evidence.motor.MotorBug;
import tidepool.protocol.Protocol;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.protocol.motor.Motor;
import tidepool.sim.Adversary;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/**
 * A writer dies before and after each verb of each shape. Meanwhile a reader has an older snapshot, and continues to
 * read after the recovery. A night runs every point with more seeds.
 */
class SnapshotCrashPointsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int SEEDS = Effort.of(1, 1, 20);

    /** The search for a planted bug ends with the first failure. */
    private static final int PLANTED_SEEDS = 30;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void motor() {
        assertTrue(enumerate(Motor::new, SEEDS) > 0, "no reader kept its snapshot across a recovery");
    }

    @Test
    void farmV2() {
        assertTrue(enumerate(FarmV2::new, SEEDS) > 0, "no reader kept its snapshot across a recovery");
    }

    /** A stamp that is written after its head: the writer dies in between. */
    @Test
    void stampBehindTheHeadOfMotorIsFound() {
        assertFound(MotorBug.STAMP_BEHIND_THE_HEAD);
    }

    /** FaRMv2 with a stamp that is written after its head; and a recoverer that writes the head and not the stamp. */
    @ParameterizedTest
    @EnumSource(names = {"STAMP_BEHIND_THE_HEAD", "RECOVERY_WRITES_NO_STAMP"})
    void lostStampOfFarmV2IsFound(FarmV2Bug bug) {
        assertFound(bug::protocol);
    }

    private static void assertFound(Supplier<Protocol> planted) {
        ClusterFailure found = assertThrows(ClusterFailure.class, () -> enumerate(planted, PLANTED_SEEDS));
        assertTrue(found.getMessage().contains("committed half of the writer"), found.getMessage());
    }

    /** Runs every point. Returns the number of readers that committed in their first attempt. */
    private static long enumerate(Supplier<Protocol> protocol, int seeds) {
        long kept = 0;
        long all = 0;
        StringBuilder text = new StringBuilder(protocol.get().name() + ", crash points beside a snapshot:");
        for (Shape shape : Shape.values())
            for (boolean near : shape == Shape.DELETE ? new boolean[] {false, true} : new boolean[] {false}) {
                long points = 0;
                for (When when : When.values())
                    for (int seed = 1; seed <= seeds; seed++)
                        for (long verb = 0; ; verb++) {
                            Death victim = new Death(verb, when);
                            Adversary adversary = seed % 2 == 0 ? ClusterOptions.DEATHS : ClusterOptions.SLOW;
                            int attempts =
                                    SnapshotScene.play(shape, near, seed + 7 * verb, adversary, victim, protocol);
                            if (attempts == 0) break;
                            points++;
                            if (attempts == 1) kept++;
                        }
                all += points;
                text.append(' ').append(shape).append(near ? " near " : " ").append(points);
            }
        System.out.println(text + "; kept " + kept + " of " + all);
        return kept;
    }
}
