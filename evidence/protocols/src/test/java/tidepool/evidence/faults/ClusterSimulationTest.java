package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.protocol.Protocol;
import tidepool.protocol.ford.Ford;
import tidepool.testkit.Effort;

/**
 * Whole clusters, many seeds; {@code -Dtidepool.seed=N} sets the first seed. This is FORD; other protocols extend it.
 */
class ClusterSimulationTest {
    private static final long FIRST = Effort.firstSeed();
    private static final long SEEDS = Effort.of(30, 300, 30_000);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    Protocol protocol() {
        return new Ford();
    }

    private ClusterOptions drawn(long seed) {
        return ClusterOptions.drawn(seed).withDrawnWorkload().withProtocol(this::protocol);
    }

    @Test
    void nothingIsLostTornOrSeenTooEarly() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) all.add(ClusterSimulation.run(drawn(seed)));
        System.out.println(all);

        assertReached(all, ClusterReport.expected(protocol().name()));
        assertReached(all, ClusterReport.EXPECTED_OF_GROWTH);
        assertReached(all, ClusterReport.EXPECTED_OF_DOCUMENTS);
        assertReached(all, ClusterReport.EXPECTED_OF_ORDERED);
    }

    /**
     * Row C3: a machine is slow, taken for dead, revoked and recovered. It goes on under a new session and breaks
     * nothing.
     */
    @Test
    void aSessionThatWasOnlySlowGoesOn() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS / 3; seed++)
            all.add(ClusterSimulation.run(drawn(seed).withCrashes(0).withPauses(3)));

        assertReached(all, List.of("recovery", "fabric MACHINE_PAUSED", "fabric REVOKED_VERB_DROPPED"));
    }

    /** Rows C5 and N1: no answer, or no connection; in addition machines die. */
    @Test
    void lostAnswersAndBrokenConnectionsAreMended() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS / 3; seed++)
            all.add(ClusterSimulation.run(drawn(seed).withAdversary(ClusterOptions.LOSSES)));

        assertReached(
                all, List.of("recovery", "fabric TIMED_OUT", "fabric CONNECTION_BROKEN", "fabric COMPLETION_LOST"));
    }

    /** Few seeds do not reach everything. */
    private static void assertReached(ClusterReport all, List<String> expected) {
        if (Effort.current() != Effort.QUICK) assertEquals(List.of(), all.missing(expected));
    }

    @Test
    void sameSeedDoesTheSame() {
        for (long seed = FIRST; seed < FIRST + 5; seed++)
            assertEquals(
                    ClusterSimulation.run(drawn(seed)).traceHash(),
                    ClusterSimulation.run(drawn(seed)).traceHash());
    }
}
