package tidepool.evidence.faults;

import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.clusters.ClusterOptions;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.PowerScene.Shape;
import tidepool.evidence.ford.PowerBug;
import tidepool.sim.CrashPoint.When;
import tidepool.store.FlushPolicy;

/**
 * Bugs that only a loss of power can show are found by clusters that lose it, or at the enumerated points;
 * {@code docs/evidence/planted-bugs.md} has the table.
 */
class PlantedPowerTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Clusters and points have not shown five of the bugs so far: {@link PowerPlotTest} has a plot for each. */
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
    void isFoundInACluster(PowerBug bug) {
        PlantedSeeds.isCaught(
                "power/" + bug, PlantedTrials.clusters(PlantedTrials.SEEDS, seed -> ClusterOptions.withPower(
                                ClusterOptions.drawn(seed), FlushPolicy.SELECTIVE)
                        .withProtocol(bug)));
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "UNDO_LOG_NOT_FLUSHED",
                "DATA_NOT_FLUSHED",
                "NOTHING_FLUSHED",
                "PRIMARY_IS_A_WITNESS",
                "ONE_BACKUP_IS_ENOUGH",
                "RESTART_ALWAYS_ROLLS_BACK",
                "RESTART_NEVER_ROLLS_BACK",
                "PRIMARY_NOT_REBUILT"
            })
    void isFoundAtACrashPoint(PowerBug bug) {
        PlantedSeeds.isCaught("power-crash/" + bug, PlantedTrials.of(PlantedPowerTest::points, trial -> {
            String[] words = trial.split(" ");
            int seed = Integer.parseInt(words[0]);
            long verb = Long.parseLong(words[3]);
            PowerScene.play(
                    Shape.valueOf(words[1]),
                    bug == PowerBug.ONE_BACKUP_IS_ENOUGH ? 3 : 2,
                    seed + 7 * verb,
                    seed % 2 == 0 ? PowerPointsTest.EVICTING : PowerPointsTest.KEEPING,
                    new Death(verb, When.valueOf(words[2])),
                    null,
                    bug);
        }));
    }

    /** The verb at which the victim dies and the power fails: {@code SEED SHAPE BEFORE|AFTER VERB}. */
    private static Stream<String> points() {
        return IntStream.rangeClosed(1, 6).boxed().flatMap(seed -> Stream.of(Shape.UPDATE_TWO_PARTITIONS, Shape.INSERT)
                .flatMap(shape -> Stream.of(When.values()).flatMap(when -> IntStream.range(0, PlantedTrials.VERBS)
                        .mapToObj(verb -> seed + " " + shape + " " + when + " " + verb))));
    }
}
