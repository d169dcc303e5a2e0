package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.NodeScene.Plan;
import tidepool.evidence.faults.NodeScene.Shape;
import tidepool.protocol.Protocols;
import tidepool.sim.Adversary;
import tidepool.sim.CrashPoint;
import tidepool.testkit.Effort;

/**
 * Rows M1 and M4: a memory node dies before, during and after each verb that goes to it, of a transaction, of a
 * recovery, of a reconfiguration and of the filling of a new copy; and the machine that does that dies at each of its
 * verbs. A night runs every point, other runs every 25th.
 */
@Tag("full")
class NodePointsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** The distance between points of the long enumerations; a night runs every point. */
    private static final int STEP = Effort.current() == Effort.NIGHT ? 1 : 25;

    /** Every WRITE takes effect in parts. */
    private static final Adversary IN_PARTS = ClusterOptions.DEATHS.with(
            new Adversary.Order(300_000, 4_000, 1_000_000, 4_000, 200_000, true, true, Adversary.BURSTS));

    private final ClusterReport all = ClusterReport.empty();
    private int points;
    private long maxMicros;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /**
     * Of two nodes one is lost, the primary or the backup: every reported outcome is true, and the other node has
     * everything.
     */
    @ParameterizedTest
    @CsvSource({"ford, 1, 200", "ford-lv, 4, 50", "farm, 4, 50", "drtmh, 4, 50", "hdtx, 2, 80", "farmv2, 4, 50"})
    void everyVerbOfATransaction(String protocol, int step, int min) {
        for (Shape shape : Shape.values())
            for (int node = 0; node < 2; node++)
                for (NodeDeath.When when : List.of(NodeDeath.When.BEFORE, NodeDeath.When.AFTER))
                    enumerate(protocol, step, shape, node, when, false, ClusterOptions.DEATHS);
        told(protocol, "verbs of a transaction at which a node is lost", min);
        if (protocol.equals("ford")) assertEquals(List.of(), all.missing(List.of("change undone")));
        assertEquals(List.of(), all.missing(List.of("change", "change freed a lock", "change finished")));
    }

    /** A node that is back with its memory before it is missed: some words of a WRITE may be there and others not. */
    @ParameterizedTest
    @CsvSource({"ford, 1, 120", "ford-lv, 4, 30", "farm, 4, 30", "drtmh, 4, 30", "hdtx, 4, 30", "farmv2, 4, 30"})
    void everyVerbAtANodeThatComesBack(String protocol, int step, int min) {
        for (Shape shape : Shape.values())
            for (int node = 0; node < 2; node++) {
                enumerate(protocol, step, shape, node, NodeDeath.When.DURING, true, IN_PARTS);
                enumerate(protocol, step, shape, node, NodeDeath.When.AFTER, true, ClusterOptions.DEATHS);
            }
        told(protocol, "verbs of a transaction at which a node restarts", min);
        assertEquals(List.of(), all.missing(List.of("fabric NODE_RESTARTED", "recovery")));
    }

    private void enumerate(
            String protocol,
            int step,
            Shape shape,
            int node,
            NodeDeath.When when,
            boolean returns,
            Adversary adversary) {
        for (long verb = 0; ; verb += Math.min(step, STEP)) {
            NodeDeath death = new NodeDeath("victim", node, verb, when, returns);
            if (!play(protocol, new Plan(shape, 2, 2, 1 + verb, adversary, null, null, List.of(death)))) return;
        }
    }

    /** The machine of the transaction has died, and a node dies during the recovery. */
    @ParameterizedTest
    @CsvSource({"ford, 10", "ford-lv, 10", "farm, 10", "drtmh, 10", "hdtx, 10", "farmv2, 10"})
    void everyVerbOfARecovery(String protocol, int min) {
        for (long dies = 2; dies < 30; dies += Math.min(7, STEP))
            for (int node = 0; node < 2; node++)
                for (NodeDeath.When when : List.of(NodeDeath.When.BEFORE, NodeDeath.When.AFTER))
                    for (long verb = 0; ; verb += STEP) {
                        NodeDeath death = new NodeDeath("recoverer", node, verb, when, false);
                        Plan plan = new Plan(
                                Shape.UPDATE_TWO_AND_READ,
                                2,
                                2,
                                1 + verb,
                                ClusterOptions.DEATHS,
                                new Death(dies, CrashPoint.When.AFTER),
                                null,
                                List.of(death));
                        if (!play(protocol, plan)) break;
                    }
        told(protocol, "verbs of a recovery at which a node is lost", min);
    }

    /**
     * A second node dies while the steward removes the first and fills a new copy: another copy, the source, or the new
     * one.
     */
    @ParameterizedTest
    @CsvSource({"ford, 20", "ford-lv, 20", "farm, 20", "drtmh, 20", "hdtx, 20", "farmv2, 20"})
    void everyVerbOfAChange(String protocol, int min) {
        for (int node = 1; node < 4; node++)
            for (long first : new long[] {6, 12})
                for (NodeDeath.When when : List.of(NodeDeath.When.BEFORE, NodeDeath.When.AFTER))
                    for (long verb = 0; ; verb += STEP) {
                        NodeDeath before = new NodeDeath("victim", 0, first, NodeDeath.When.AFTER, false);
                        NodeDeath death = new NodeDeath("steward0", node, verb, when, false);
                        Plan plan = new Plan(
                                Shape.UPDATE_TWO_AND_READ,
                                3,
                                3,
                                1 + verb,
                                ClusterOptions.DEATHS,
                                null,
                                null,
                                List.of(before, death));
                        if (!play(protocol, plan)) break;
                    }
        told(protocol, "verbs of a steward at which a second node is lost", min);
        assertEquals(List.of(), all.missing(List.of("change cut off")));
    }

    /** The steward dies at each of its verbs, of the reconfiguration and of the filling, and another one takes over. */
    @ParameterizedTest
    @CsvSource({"ford, 30", "ford-lv, 30", "farm, 30", "drtmh, 30", "hdtx, 30", "farmv2, 30"})
    void everyVerbOfTheSteward(String protocol, int min) {
        for (long first : new long[] {4, 8, 12})
            for (CrashPoint.When when : CrashPoint.When.values())
                for (long verb = 0; ; verb += STEP) {
                    NodeDeath before = new NodeDeath("victim", 1, first, NodeDeath.When.AFTER, false);
                    Plan plan = new Plan(
                            Shape.UPDATE_TWO_AND_READ,
                            2,
                            2,
                            1 + verb,
                            ClusterOptions.DEATHS,
                            null,
                            new Death(verb, when),
                            List.of(before));
                    if (!play(protocol, plan)) break;
                }
        told(protocol, "verbs at which a steward dies", min);
        assertEquals(List.of(), all.missing(List.of("change cut off")));
    }

    private boolean play(String protocol, Plan plan) {
        ClusterReport report = NodeScene.play(plan, () -> Protocols.named(protocol));
        if (report == null) return false;
        maxMicros = Math.max(maxMicros, report.count("most micros until every key could be written"));
        all.add(report);
        points++;
        return true;
    }

    private void told(String protocol, String what, int min) {
        System.out.println(protocol + ", " + what + ": " + points + "; finished " + all.count("change finished")
                + ", undone " + all.count("change undone") + ", locks freed " + all.count("change freed a lock")
                + ", every key could be written within " + maxMicros + " us");
        assertTrue(points >= min, what + ": " + points);
    }
}
