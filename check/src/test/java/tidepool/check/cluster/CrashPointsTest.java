package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.check.cluster.CrashScene.Death;
import tidepool.check.cluster.CrashScene.Shape;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.CrashPoint.When;

/**
 * Rows C1 and C2: a machine dies before and after each verb of each shape of transaction, its recoverer before and after
 * each of its own. {@code -Dcrash.seeds=N} plays every point with more seeds.
 */
class CrashPointsTest {
    private static final int SEEDS = Integer.getInteger("crash.seeds", 3);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void withoutACrashEveryShapeCommitsOrAborts() {
        for (Shape shape : Shape.values())
            for (int replicas = 1; replicas <= 3; replicas++)
                CrashScene.play(shape, replicas, 1, Adversary.ORDER, null, null, false);
    }

    /** Every verb of every shape, on two replicas: all or nothing. */
    @Test
    void everyVerbOfEveryShape() {
        ClusterReport all = enumerate(2, ClusterOptions.DEATHS, false);
        all.add(enumerate(2, ClusterOptions.SLOW, false));

        assertEquals(
                List.of(),
                all.missing(List.of(
                        "recovery finished",
                        "recovery undone",
                        "recovery straggler published",
                        "recovery lock freed by intent",
                        "recovery nothing to do",
                        "fabric REVOKED_VERB_DROPPED",
                        "fabric REVOCATION_WAITED",
                        "unknown that happened")));
    }

    /** A log of which only a part arrived: no word behind it was touched, and the locks are freed by the intents. */
    @Test
    void tornLogIsAsGoodAsNone() {
        int scenes = 0;
        ClusterReport all = ClusterReport.empty();
        while (all.count("recovery torn log") == 0 && scenes < 10_000) {
            Death victim = new Death(3 + scenes % 4, When.BEFORE); // about where the log is
            ClusterReport report =
                    CrashScene.play(Shape.UPDATE, 2, 1 + scenes, ClusterOptions.SLOW, victim, null, false);
            if (report != null) all.add(report);
            scenes++;
        }
        System.out.println("torn log after scenes: " + scenes);

        assertEquals(List.of(), all.missing(List.of("recovery torn log", "recovery lock freed by intent")));
    }

    @Test
    void everyVerbWithoutAndWithTwoBackups() {
        enumerate(1, ClusterOptions.DEATHS, false);
        enumerate(3, ClusterOptions.DEATHS, false);
    }

    /** The recovery lock keeps them apart. */
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
                        ClusterReport report = CrashScene.play(
                                shape, 2, 1 + verb, ClusterOptions.DEATHS, victim, new Death(verb, when), false);
                        if (report == null) break;
                        all.add(report);
                        points++;
                    }
            }
        System.out.println("recoverer crash points: " + points);

        assertTrue(points > 500, "points " + points);
        assertEquals(List.of(), all.missing(List.of("recovery finished", "recovery undone")));
    }

    /** Of the crash points of a shape, spread evenly: no log, some images, all images, some released. */
    private static List<Death> interesting(Shape shape) {
        int count = 0;
        while (CrashScene.play(shape, 2, 1, ClusterOptions.DEATHS, new Death(count, When.AFTER), null, false) != null)
            count++;
        List<Death> some = new ArrayList<>();
        for (int i = 1; i <= 5; i++) some.add(new Death((long) count * i / 6, When.AFTER));
        return some;
    }

    private static ClusterReport enumerate(int replicas, Adversary adversary, boolean two) {
        ClusterReport all = ClusterReport.empty();
        StringBuilder text = new StringBuilder("crash points on " + replicas + " replicas:");
        for (Shape shape : Shape.values()) {
            long points = 0;
            for (When when : When.values())
                for (int seed = 1; seed <= SEEDS; seed++)
                    for (long verb = 0; ; verb++) {
                        ClusterReport report = CrashScene.play(
                                shape, replicas, seed + 7 * verb, adversary, new Death(verb, when), null, two);
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
