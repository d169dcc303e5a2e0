package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.LogsInHeap;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.CrashScene.Shape;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/** A machine dies at each verb of a transaction with logs in the log heap, and its recoverer at each of its own. */
class HeapCrashPointsTest {
    private static final List<Shape> SHAPES =
            List.of(Shape.UPDATE_TWO_PARTITIONS, Shape.INSERT_OVERFLOWING, Shape.DELETE_EMPTYING_BUCKET, Shape.CLOSE);

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    /** All of the transaction is left or nothing, and no block of the heap keeps an owner. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford",
                "ford?undo=parallel&commit=separate",
                "ford?locking=separate",
                "ford-lv",
                "ford-lv?vcache=global",
                "farm",
                "drtmh",
                "farmv2",
                "motor",
                "hdtx",
                "hdtx?release=client&reads=locked"
            })
    void everyVerb(String name) {
        ClusterReport all = ClusterReport.empty();
        long points = 0;
        for (Shape shape : SHAPES)
            for (When when : When.values())
                for (int seed = 1; seed <= Effort.of(1, 1, 10); seed++)
                    for (long verb = 0; ; verb++) {
                        ClusterReport report = play(name, shape, seed + 7 * verb, new Death(verb, when), null);
                        if (report == null) break;
                        all.add(report);
                        points++;
                    }
        System.out.println(name + ", crash points with logs in the heap: " + points);

        assertTrue(points > 100, "points " + points);
        assertEquals(List.of(), all.missing(List.of("recovery finished", "recovery undone")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "motor", "hdtx"})
    void everyVerbOfTheRecoverer(String name) {
        ClusterReport all = ClusterReport.empty();
        int step = Effort.of(5, 3, 1);
        for (long victim = 0; ; victim += step) {
            Death death = new Death(victim, When.AFTER);
            if (play(name, Shape.UPDATE_TWO_PARTITIONS, 1, death, null) == null) break;
            for (long verb = 0; ; verb += Effort.of(5, 1, 1)) {
                ClusterReport report =
                        play(name, Shape.UPDATE_TWO_PARTITIONS, 1 + verb, death, new Death(verb, When.AFTER));
                if (report == null) break;
                all.add(report);
            }
        }
        assertEquals(List.of(), all.missing(List.of("recovery finished")));
    }

    private static ClusterReport play(String name, Shape shape, long seed, Death victim, Death recoverer) {
        Supplier<Protocol> protocol = () -> new LogsInHeap(Protocols.named(name));
        return CrashScene.play(shape, 2, seed, ClusterOptions.DEATHS, victim, recoverer, false, protocol);
    }
}
