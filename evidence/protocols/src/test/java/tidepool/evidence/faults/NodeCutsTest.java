package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.protocol.Protocols;
import tidepool.testkit.Effort;

/**
 * Rows N1 to N3 and R: links are cut in every shape, the store of the roster is unreachable, a node that still serves
 * is removed, and nodes lose their power while others are lost. {@code -Dtidepool.seed=N} sets the first seed.
 */
@Tag("full")
class NodeCutsTest {
    private static final long FIRST = Effort.firstSeed();
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @CsvSource({"ford, 30", "ford-lv, 8", "farm, 8", "drtmh, 8", "hdtx, 8", "farmv2, 8"})
    void cutLinksLoseNothing(String protocol, int few) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + Effort.of(few, few, 100 * few); seed++)
            all.add(ClusterSimulation.run(
                    ClusterOptions.drawnWithCuts(seed).withProtocol(() -> Protocols.named(protocol))));
        System.out.println(protocol + "\n" + all);

        List<String> expected = new ArrayList<>(List.of(
                "cut among others",
                "memory node was not heard of, and served",
                "roster was away",
                "change",
                "committed"));
        if (protocol.equals("ford"))
            expected.addAll(List.of(
                    "cut", "cut one way", "cut that came and went", "cut of a machine", "cut of a memory node"));
        assertEquals(List.of(), all.missing(expected));
    }

    @Test
    void nodesAreLostAndThePowerFails() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + Effort.of(30, 30, 3_000); seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawnWithNodesAndPower(seed)));
        System.out.println(all);

        assertEquals(
                List.of(),
                all.missing(List.of(
                        "power cut",
                        "power cut while a memory node was lost",
                        "change",
                        "change cut off",
                        "restart",
                        "restart finished",
                        "objects copied to a new copy")));
    }
}
