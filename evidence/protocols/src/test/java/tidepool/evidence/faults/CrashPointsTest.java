package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.CrashScene.Shape;
import tidepool.protocol.Protocol;
import tidepool.protocol.ford.Ford;
import tidepool.sim.Adversary;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/**
 * Rows C1 and C2: a machine dies before and after each verb of each shape of transaction, its recoverer before and
 * after each of its own. A night runs every point with more seeds. This is FORD; other protocols extend it.
 */
class CrashPointsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Every WRITE takes effect in parts, and a revocation cuts it short. */
    private static final Adversary IN_PARTS = ClusterOptions.SLOW
            .with(new Adversary.Order(300_000, 4_000, 1_000_000, 400_000, 200_000, true, true, Adversary.BURSTS))
            .with(new Adversary.Losses(0, 0, 0, 0, 0, 0, 1_000_000));

    Protocol protocol() {
        return new Ford();
    }

    /** Returns the number of seeds of each point in a full run. */
    int seeds() {
        return 3;
    }

    /** Returns the number of the first verb that writes the log of an update. */
    int logVerb() {
        return 3;
    }

    /** Whether a released object may have backups that still carry the mark. */
    boolean leavesStragglers() {
        return true;
    }

    @Test
    void withoutACrashEveryShapeCommitsOrAborts() {
        for (Shape shape : Shape.values())
            for (int replicas = 1; replicas <= 3; replicas++)
                play(shape, replicas, 1, Adversary.ORDER, null, null, false);
    }

    /** Every verb of every shape, on two replicas: all or nothing. */
    @Test
    void everyVerbOfEveryShape() {
        ClusterReport all = enumerate(2, ClusterOptions.DEATHS, false);
        all.add(enumerate(2, ClusterOptions.SLOW, false));

        List<String> expected = new ArrayList<>(List.of(
                "recovery finished",
                "recovery undone",
                "recovery lock freed by intent",
                "recovery nothing to do",
                "fabric REVOKED_VERB_DROPPED",
                "unknown that happened"));
        if (leavesStragglers()) expected.add("recovery straggler published");
        // Where few verbs are under way when a machine dies, hardly any revocation has to wait.
        if (getClass() == CrashPointsTest.class) expected.add("fabric REVOCATION_WAITED");
        // One seed does not reach everything.
        if (Effort.current() != Effort.QUICK) assertEquals(List.of(), all.missing(expected));
    }

    /**
     * A log of which only a part arrived: no word that follows it was written, and the locks are freed by the intents.
     */
    @Test
    void tornLogIsAsGoodAsNone() {
        int scenes = 0;
        ClusterReport all = ClusterReport.empty();
        while (all.count("recovery torn log") == 0 && scenes < 1_000) {
            Death victim = new Death(logVerb() + 1, When.BEFORE);
            ClusterReport report = play(Shape.UPDATE, 2, 1 + scenes, IN_PARTS, victim, null, false);
            if (report != null) all.add(report);
            scenes++;
        }
        System.out.println(protocol().name() + ", torn log after scenes: " + scenes);

        assertEquals(List.of(), all.missing(List.of("recovery torn log", "recovery lock freed by intent")));
    }

    @Test
    void everyVerbWithoutAndWithTwoBackups() {
        enumerate(1, ClusterOptions.DEATHS, false);
        enumerate(3, ClusterOptions.DEATHS, false);
    }

    /** The recovery lock excludes the second recoverer. */
    @Test
    void twoRecoverersAtOnce() {
        enumerate(2, ClusterOptions.DEATHS, true);
    }

    /** The recoverer dies at each of its verbs; a third machine comes to the same end. */
    @Test
    void everyVerbOfTheRecoverer() {
        long points = 0;
        ClusterReport all = ClusterReport.empty();
        for (Shape shape : List.of(Shape.UPDATE_TWO_PARTITIONS, Shape.INSERT_OVERFLOWING))
            for (Death victim : interesting(shape)) {
                for (When when : When.values())
                    for (long verb = 0; ; verb++) {
                        ClusterReport report =
                                play(shape, 2, 1 + verb, ClusterOptions.DEATHS, victim, new Death(verb, when), false);
                        if (report == null) break;
                        all.add(report);
                        points++;
                    }
            }
        System.out.println(protocol().name() + ", recoverer crash points: " + points);

        assertTrue(points > 500, "points " + points);
        assertEquals(List.of(), all.missing(List.of("recovery finished", "recovery undone")));
    }

    /** Returns, of the crash points of a shape, the first of every kind, by what a recoverer finds to do. */
    private List<Death> interesting(Shape shape) {
        List<Death> some = new ArrayList<>();
        Set<String> kinds = new HashSet<>();
        for (long verb = 0; ; verb++) {
            Death victim = new Death(verb, When.AFTER);
            ClusterReport report = play(shape, 2, 1, ClusterOptions.DEATHS, victim, null, false);
            if (report == null) return some;
            String kind = report.count("recovery finished") + " " + report.count("recovery undone") + " "
                    + report.count("recovery straggler published") + " "
                    + report.count("recovery lock freed by intent");
            if (kinds.add(kind)) some.add(victim);
        }
    }

    private ClusterReport play(
            Shape shape, int replicas, long seed, Adversary adversary, Death victim, Death recoverer, boolean two) {
        return CrashScene.play(shape, replicas, seed, adversary, victim, recoverer, two, this::protocol);
    }

    private ClusterReport enumerate(int replicas, Adversary adversary, boolean two) {
        int seeds = Effort.of(1, replicas == 2 && !two ? seeds() : 1, 20);
        ClusterReport all = ClusterReport.empty();
        StringBuilder text = new StringBuilder(protocol().name() + ", crash points on " + replicas + " replicas:");
        for (Shape shape : Shape.values()) {
            long points = 0;
            for (When when : When.values())
                for (int seed = 1; seed <= seeds; seed++)
                    for (long verb = 0; ; verb++) {
                        ClusterReport report =
                                play(shape, replicas, seed + 7 * verb, adversary, new Death(verb, when), null, two);
                        if (report == null) break;
                        all.add(report);
                        points++;
                    }
            text.append(' ').append(shape).append(' ').append(points);
        }
        System.out.println(text);
        return all;
    }
}
