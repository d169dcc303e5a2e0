package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static tidepool.clusters.ClusterOptions.drawn;
import static tidepool.clusters.ClusterOptions.drawnWithNodes;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.clusters.LogsInHeap;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.sim.Adversary;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/**
 * Clusters whose logs all lie in the log heap: processes and memory nodes die, and power fails. {@code
 * -Dtidepool.seed=N} sets the first seed.
 */
class HeapLogsTest {
    private static final long FIRST = Effort.firstSeed();

    /** Lines that are evicted, lines that stay in caches, and nodes with journals. */
    private static final List<Adversary> ADVERSARIES =
            List.of(PowerPointsTest.EVICTING, PowerPointsTest.KEEPING, PowerPointsTest.JOURNALS);

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    private static Supplier<Protocol> inHeap(String name) {
        return () -> new LogsInHeap(Protocols.named(name));
    }

    /** Histories are serial, copies equal, and no block of the heap keeps an owner. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void processesDie(String name) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + Effort.of(10, 40, 2_000); seed++)
            all.add(ClusterSimulation.run(drawn(seed).withProtocol(inHeap(name))));

        List<String> seen = new ArrayList<>(List.of("committed"));
        if (Effort.current() != Effort.QUICK) seen.add("recovery lock freed by intent"); // rare under FORD
        assertEquals(List.of(), all.missing(seen));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void memoryNodesDie(String name) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + Effort.of(4, 20, 2_000); seed++)
            all.add(ClusterSimulation.run(drawnWithNodes(seed).withProtocol(inHeap(name))));

        assertEquals(List.of(), all.missing(List.of("committed", "change")));
    }

    /** The power of all nodes fails at each verb of an update of two rows. */
    @ParameterizedTest
    @ValueSource(strings = {"ford?flush=selective", "ford?flush=full", "ford?flush=full&commit=separate"})
    void powerFails(String name) {
        long points = 0;
        for (PowerScene.Shape shape :
                List.of(PowerScene.Shape.UPDATE_TWO_PARTITIONS, PowerScene.Shape.INSERT_OVERFLOWING))
            for (int replicas = 1; replicas <= 2; replicas++)
                for (int seed = 1; seed <= Effort.of(1, 3, 20); seed++)
                    for (long verb = 0; ; verb++) {
                        Death death = new Death(verb, When.AFTER);
                        if (PowerScene.play(
                                        shape,
                                        replicas,
                                        seed + 7 * verb,
                                        ADVERSARIES.get((int) (seed + verb) % ADVERSARIES.size()),
                                        death,
                                        null,
                                        inHeap(name))
                                == null) break;
                        points++;
                    }
        System.out.println(name + ", power failures with logs in the heap: " + points);
        assertTrue(points > 50, "points " + points);
    }
}
