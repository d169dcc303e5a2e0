package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static tidepool.clusters.ClusterOptions.drawnWithNodes;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.protocol.Protocols;
import tidepool.testkit.Effort;

/**
 * Memory nodes die, at any moment, and come back empty: what was acknowledged is there, and all copies are equal.
 * {@code -Dtidepool.seed=N} sets the first seed.
 */
@Tag("full")
class NodeLossTest {
    private static final long FIRST = Effort.firstSeed();
    private static final long SEEDS = Effort.of(4, 40, 4_000);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "hdtx", "hdtx?reads=locked&release=client", "farmv2"})
    void nothingAcknowledgedIsLost(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++)
            all.add(ClusterSimulation.run(drawnWithNodes(seed).withProtocol(() -> Protocols.named(protocol))));
        System.out.println(protocol + "\n" + all);

        List<String> expected = new ArrayList<>(ClusterReport.expectedWithNodes(protocol));
        if (SEEDS < 400) expected.remove("change undone"); // rare here; NodePointsTest has it
        assertEquals(List.of(), all.missing(expected));
    }

    /** The wait for a lost node is short, so there are writers while copies are filled. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "hdtx", "farmv2"})
    void copiesAreFilledUnderWriters(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS / 2; seed++)
            all.add(ClusterSimulation.run(drawnWithNodes(seed).hasty().withProtocol(() -> Protocols.named(protocol))));
        assertEquals(List.of(), all.missing(List.of("change", "objects copied to a new copy", "committed")));
    }

    @Test
    void theSameSeedIsTheSameRun() {
        for (long seed = 1; seed <= 3; seed++)
            assertEquals(
                    ClusterSimulation.run(drawnWithNodes(seed)).traceHash(),
                    ClusterSimulation.run(drawnWithNodes(seed)).traceHash());
    }
}
