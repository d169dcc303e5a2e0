package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.PowerScene.Shape;
import tidepool.protocol.Protocols;
import tidepool.sim.Adversary;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/**
 * Row M2: the power fails right after each verb of each shape of transaction, and of the repair that follows. A night
 * runs every point with more seeds.
 */
@Tag("full")
class PowerPointsTest {
    private static final int SEEDS = Effort.of(1, 2, 20);
    private static final Logger LOG = Logger.getLogger("tidepool");
    static final Adversary EVICTING = ClusterOptions.DEATHS.withPersistence(100_000);
    static final Adversary KEEPING = ClusterOptions.DEATHS.withPersistence(0);

    static final Adversary JOURNALS = ClusterOptions.DEATHS.withJournals(0);

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void everyVerbOfEveryShape() {
        ClusterReport all = enumerate(2, "ford?flush=selective");
        all.add(enumerate(2, "ford?flush=full"));
        System.out.println(all);

        assertEquals(
                List.of(),
                all.missing(List.of(
                        "restart finished",
                        "restart undone",
                        "restart torn log",
                        "restart mark without a log",
                        "restart replica rebuilt",
                        "victim unknown",
                        "unknown that happened")));
    }

    @Test
    void everyVerbWithoutAndWithTwoBackups() {
        enumerateOnce(1, "ford?flush=selective");
        enumerateOnce(3, "ford?flush=selective");
        enumerateOnce(3, "ford?flush=full");
    }

    @Test
    void everyVerbWithTheOtherSwitches() {
        enumerateOnce(2, "ford?flush=selective&locking=separate");
        enumerateOnce(2, "ford?flush=selective&commit=separate");
    }

    /** Of the writes that were not flushed each node has kept a prefix of its own length. */
    @Test
    void everyVerbWhereNodesKeepJournals() {
        ClusterReport all = enumerate(2, "ford?flush=selective", JOURNALS, JOURNALS, SEEDS);
        all.add(enumerate(3, "ford?flush=full", JOURNALS, JOURNALS, Effort.of(1, 1, SEEDS)));
        System.out.println(all);

        assertEquals(
                List.of(),
                all.missing(List.of(
                        "restart finished",
                        "restart undone",
                        "restart undone, of which a node had nothing",
                        "restart replica rebuilt",
                        "unknown that happened")));
    }

    /** The repair is cut off at each of its verbs; the next one comes to the same end. */
    @Test
    void everyVerbOfTheRepair() {
        repairs(EVICTING, KEEPING);
    }

    @Test
    void everyVerbOfTheRepairWhereNodesKeepJournals() {
        repairs(JOURNALS, JOURNALS);
    }

    private static void repairs(Adversary even, Adversary odd) {
        long points = 0;
        ClusterReport all = ClusterReport.empty();
        for (Shape shape : List.of(Shape.UPDATE_TWO_PARTITIONS, Shape.INSERT_OVERFLOWING))
            for (int at = 1; at <= 3; at++) {
                Death victim = new Death(verbs(shape, odd) * at / 4, When.AFTER);
                for (long verb = 0; ; verb += 3) {
                    ClusterReport report = PowerScene.play(
                            shape,
                            2,
                            1 + verb,
                            verb % 2 == 0 ? even : odd,
                            victim,
                            new Death(verb, When.AFTER),
                            () -> Protocols.named("ford?flush=selective"));
                    if (report == null) break;
                    all.add(report);
                    points++;
                }
            }
        System.out.println("points of a repair: " + points);

        assertTrue(points > 150, "points " + points);
        assertEquals(List.of(), all.missing(List.of("restart finished", "restart undone")));
    }

    private static long verbs(Shape shape, Adversary adversary) {
        long count = 0;
        while (PowerScene.play(
                        shape,
                        2,
                        1,
                        adversary,
                        new Death(count, When.AFTER),
                        null,
                        () -> Protocols.named("ford?flush=selective"))
                != null) count++;
        return count;
    }

    /** One seed for each point, except at night: these differ from the points above in few verbs. */
    private static void enumerateOnce(int replicas, String protocol) {
        enumerate(replicas, protocol, EVICTING, KEEPING, Effort.of(1, 1, SEEDS));
    }

    private static ClusterReport enumerate(int replicas, String protocol) {
        return enumerate(replicas, protocol, EVICTING, KEEPING, SEEDS);
    }

    private static ClusterReport enumerate(int replicas, String protocol, Adversary even, Adversary odd, int seeds) {
        ClusterReport all = ClusterReport.empty();
        StringBuilder text = new StringBuilder("losses of power, " + protocol + " on " + replicas + " replicas:");
        for (Shape shape : Shape.values()) {
            long points = 0;
            for (When when : When.values())
                for (int seed = 1; seed <= seeds; seed++)
                    for (long verb = 0; ; verb++) {
                        ClusterReport report = PowerScene.play(
                                shape,
                                replicas,
                                seed + 7 * verb,
                                (seed + verb) % 2 == 0 ? even : odd,
                                new Death(verb, when),
                                null,
                                () -> Protocols.named(protocol));
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
