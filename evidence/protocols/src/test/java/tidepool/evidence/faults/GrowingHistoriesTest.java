package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.protocol.Protocols;
import tidepool.testkit.Effort;

/**
 * Whole clusters whose tables grow while machines and memory nodes die: splits are attempts of the history, which is
 * judged like any other. {@code -Dtidepool.seed=N} sets the first seed.
 */
class GrowingHistoriesTest {
    private static final long FIRST = Effort.firstSeed();
    private static final long SEEDS = Effort.of(2, 4, 400);
    private static final long NODE_SEEDS = Effort.of(1, 2, 200);
    private static final int MAX_PLANTED_SEEDS = 60;
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void historiesOfTablesThatGrowHold(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++)
            all.add(ClusterSimulation.run(
                    ClusterOptions.drawn(seed).growing().withProtocol(() -> Protocols.named(protocol))));
        for (long seed = FIRST; seed < FIRST + NODE_SEEDS; seed++)
            all.add(ClusterSimulation.run(
                    ClusterOptions.drawnWithNodes(seed).growing().withProtocol(() -> Protocols.named(protocol))));
        System.out.println(protocol + "\n" + all);

        List<String> expected = new ArrayList<>(ClusterReport.EXPECTED_OF_GROWTH);
        if (Effort.current() == Effort.QUICK) expected.remove("abort TABLE_GROWS");
        assertEquals(List.of(), all.missing(expected));
    }

    /** A check must be able to fail: what clients have seen proves the mistake, without a look at the memory. */
    @ParameterizedTest
    @CsvSource({"MOVED_ROW_STAYS, 1", "DEPTH_NOT_READ, 200"})
    void historiesShowMistakesInSplits(GrowthBugTest.Bug bug, long first) {
        for (long seed = first; seed < first + MAX_PLANTED_SEEDS; seed++) {
            ClusterOptions options =
                    ClusterOptions.drawn(seed).growing().withProtocol(() -> GrowthBugTest.ford(bug, () -> {}));
            try {
                ClusterSimulation.run(options);
            } catch (ClusterFailure e) {
                if (!e.getMessage().contains("\nhistory: ")) continue;
                System.out.println(bug + " shows in the history of seed " + seed);
                return;
            }
        }
        fail("no history of " + MAX_PLANTED_SEEDS + " shows " + bug);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void longValuesUnderWideKeysInTablesThatGrow(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS / 2; seed++)
            all.add(ClusterSimulation.run(
                    ClusterOptions.drawn(seed).documents().withProtocol(() -> Protocols.named(protocol))));
        for (long seed = FIRST; seed < FIRST + (NODE_SEEDS + 1) / 2; seed++)
            all.add(ClusterSimulation.run(
                    ClusterOptions.drawnWithNodes(seed).documents().withProtocol(() -> Protocols.named(protocol))));
        System.out.println(protocol + "\n" + all);

        // Few seeds do not reach everything.
        if (Effort.current() != Effort.QUICK) assertEquals(List.of(), all.missing(ClusterReport.EXPECTED_OF_DOCUMENTS));
    }
}
