package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.LongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.evidence.ford.JournalBug;
import tidepool.store.FlushPolicy;
import tidepool.testkit.Effort;

/**
 * Clusters that lose their power, and whose nodes keep journals: the log of a transaction travels with its data. Of the
 * writes that were not flushed, each node has kept a prefix of its own length.
 */
@Tag("full")
class JournalLossTest {
    private static final long SEEDS = Effort.of(20, 200, 20_000);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void whatWasReportedOutlastsThePower() {
        ClusterReport all = run(ClusterOptions::drawn, SEEDS);

        assertEquals(List.of(), all.missing(ClusterReport.EXPECTED_WITH_JOURNALS));
    }

    /** Also if nodes die, come back empty and are filled. */
    @Test
    void alsoIfNodesDie() {
        ClusterReport all = run(ClusterOptions::drawnWithNodes, SEEDS / 2);

        assertEquals(List.of(), all.missing(List.of("power cut", "restart", "restart undone", "change")));
    }

    private static ClusterReport run(LongFunction<ClusterOptions> drawn, long seeds) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= seeds; seed++) {
            FlushPolicy flush = seed % 3 == 0 ? FlushPolicy.FULL : FlushPolicy.SELECTIVE;
            all.add(ClusterSimulation.run(ClusterOptions.withJournals(drawn.apply(seed), flush)));
        }
        System.out.println(all);
        return all;
    }

    /** One bug needs a recovery just before the power fails: {@link PowerPlotTest} has a plot for it. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RECOVERY_ENDS_NO_LOG")
    void isFound(JournalBug bug) {
        PlantedSeeds.isCaught(
                "journals/" + bug, PlantedTrials.clusters(PlantedTrials.SEEDS, seed -> ClusterOptions.withJournals(
                                ClusterOptions.drawn(seed), FlushPolicy.SELECTIVE)
                        .withProtocol(bug)));
    }
}
