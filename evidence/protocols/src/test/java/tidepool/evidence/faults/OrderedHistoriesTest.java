package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.protocol.Protocols;
import tidepool.testkit.Effort;

/**
 * Whole clusters whose transactions scan two indexes while machines and memory nodes die: range reads are operations of
 * the history, so that phantoms are cycles, and at the end rows and entries agree. {@code -Dtidepool.seed=N} sets the
 * first seed.
 */
class OrderedHistoriesTest {
    private static final long FIRST = Effort.firstSeed();
    private static final long SEEDS = Effort.of(1, 1, 400);
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** What the clusters of all protocols have reached. */
    private static final ClusterReport REACHED = ClusterReport.empty();

    private static int played;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return Effort.current() == Effort.NIGHT
                ? AnyKeyTest.protocols()
                : List.of("ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "motor?isolation=snapshot", "hdtx");
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void historiesWithScansHold(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            all.add(run(ClusterOptions.drawn(seed), protocol));
            all.add(run(ClusterOptions.drawnWithNodes(seed), protocol));
        }
        System.out.println(protocol + "\n" + all);
        REACHED.add(all);
        played++;
    }

    private static ClusterReport run(ClusterOptions options, String protocol) {
        return ClusterSimulation.run(options.ordered().withProtocol(() -> Protocols.named(protocol)));
    }

    /** A campaign without splits, or without an attempt that a changed range has aborted, has shown little. */
    @AfterAll
    static void everySituationWasReached() {
        if (played == protocols().size()) assertEquals(List.of(), REACHED.missing(ClusterReport.EXPECTED_OF_ORDERED));
    }
}
