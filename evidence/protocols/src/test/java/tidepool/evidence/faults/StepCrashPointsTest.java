package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterReport;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.CrashScene.Shape;
import tidepool.evidence.ford.PlantedBug;
import tidepool.protocol.Protocols;
import tidepool.protocol.Step;
import tidepool.sim.Adversary;
import tidepool.sim.CrashPoint.When;

/**
 * A machine dies before and after each step of each protocol: the last column of the phase tables. In these scenes no
 * adversary is at work, so a step has happened or has not.
 */
class StepCrashPointsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return Protocols.names().stream()
                .filter(name -> !name.endsWith("-published"))
                .toList();
    }

    /** Returns the switches of a protocol under which all of its steps have rounds. */
    private static List<String> variants(String protocol) {
        return switch (protocol) {
            case "ford" -> List.of("ford", "ford?undo=parallel"); // otherwise the log travels with the data
            case "ford-lv" -> List.of("ford-lv", "ford-lv?vcache=global"); // announce and settle are calls to it
            default -> List.of(protocol);
        };
    }

    /** Returns the steps that have no round in these shapes. */
    private static Set<Step> withoutRound(String protocol) {
        return switch (protocol) {
            case "farmv2" -> EnumSet.of(Step.VALUES); // only in a snapshot that is older than a row
            case "hdtx" -> EnumSet.of(Step.PREPARE); // in the round of validate
            default -> EnumSet.noneOf(Step.class);
        };
    }

    /** Every step is reached, and all of the transaction is left or nothing: {@link CrashScene} checks it. */
    @ParameterizedTest
    @MethodSource("protocols")
    void everyStepOfTheTable(String protocol) {
        List<Step> table = Protocols.named(protocol).steps();
        Set<Step> expected = EnumSet.copyOf(table);
        expected.removeAll(withoutRound(protocol));
        Set<Step> reached = EnumSet.noneOf(Step.class);
        for (String variant : variants(protocol))
            for (Step step : table)
                for (Shape shape : List.of(Shape.UPDATE_AND_READ, Shape.INSERT, Shape.READ_MANY))
                    for (When when : When.values()) if (play(variant, shape, step, when) != null) reached.add(step);

        assertEquals(expected, reached);
    }

    /** The commit point of FORD lies between the death before the step {@code commit} and the death after it. */
    @Test
    void whatTheRecovererOfFordFinds() {
        Map<Step, String> before = new EnumMap<>(Step.class);
        Map<Step, String> after = new EnumMap<>(Step.class);
        for (Step step : List.of(Step.LOCK, Step.VALIDATE, Step.COMMIT, Step.RELEASE)) {
            before.put(step, found(play("ford", Shape.UPDATE_AND_READ, step, When.BEFORE)));
            after.put(step, found(play("ford", Shape.UPDATE_AND_READ, step, When.AFTER)));
        }

        assertEquals(
                Map.of(
                        Step.LOCK, "nothing to do",
                        Step.VALIDATE, "lock freed by intent",
                        Step.COMMIT, "lock freed by intent",
                        Step.RELEASE, "finished"),
                before);
        assertEquals(
                Map.of(
                        Step.LOCK, "lock freed by intent",
                        Step.VALIDATE, "lock freed by intent",
                        Step.COMMIT, "finished",
                        Step.RELEASE, "nothing to do"),
                after);
    }

    /** Otherwise the message would name a verb by a number that means nothing to its reader. */
    @Test
    void failureNamesTheStep() {
        ClusterFailure failed = assertThrows(
                ClusterFailure.class,
                () -> CrashScene.play(
                        Shape.UPDATE_AND_READ,
                        2,
                        1,
                        Adversary.NONE,
                        new Death(2, When.AFTER),
                        null,
                        false,
                        PlantedBug.NO_INTENT));

        assertTrue(failed.getMessage().contains("victim at LOCK, verb 3 of "), failed.getMessage());
    }

    private static String found(ClusterReport report) {
        StringBuilder text = new StringBuilder();
        for (String what : List.of("finished", "undone", "lock freed by intent", "nothing to do")) {
            long count = report.count("recovery " + what);
            if (count > 0) text.append(text.isEmpty() ? "" : ", ").append(what);
        }
        return text.toString();
    }

    private static ClusterReport play(String protocol, Shape shape, Step step, When when) {
        Death victim = new Death(0, step, when);
        return CrashScene.play(shape, 2, 1, Adversary.NONE, victim, null, false, () -> Protocols.named(protocol));
    }
}
