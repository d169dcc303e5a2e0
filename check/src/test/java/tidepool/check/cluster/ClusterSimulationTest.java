package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.protocol.Protocol;
import tidepool.protocol.ford.Ford;

/**
 * Whole clusters, many seeds: {@code -Dcluster.seeds=N} for more, {@code -Dcluster.first=N} to begin elsewhere. This is
 * FORD; other protocols extend it.
 */
class ClusterSimulationTest {
    private static final long FIRST = Long.getLong("cluster.first", 1);
    private static final long SEEDS = Long.getLong("cluster.seeds", 300);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    Protocol protocol() {
        return new Ford();
    }

    private ClusterOptions drawn(long seed) {
        return ClusterOptions.drawn(seed).withProtocol(this::protocol);
    }

    @Test
    void nothingIsLostTornOrSeenTooEarly() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) all.add(ClusterSimulation.run(drawn(seed)));
        System.out.println(all);

        assertEquals(List.of(), all.missing(ClusterReport.expected(protocol().name())));
    }

    /** Row C3: slow, taken for dead, revoked and recovered, it goes on under a new session and breaks nothing. */
    @Test
    void whoeverWasOnlySlowGoesOn() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS / 3; seed++)
            all.add(ClusterSimulation.run(drawn(seed).withCrashes(0).withPauses(3)));

        assertEquals(
                List.of(), all.missing(List.of("recovery", "fabric MACHINE_PAUSED", "fabric REVOKED_VERB_DROPPED")));
    }

    /** Rows C5 and N1: no answer, or no connection; with deaths beside it. */
    @Test
    void lostAnswersAndBrokenConnectionsAreMended() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS / 3; seed++)
            all.add(ClusterSimulation.run(drawn(seed).withAdversary(ClusterOptions.LOSSES)));

        assertEquals(
                List.of(),
                all.missing(
                        List.of("recovery", "fabric TIMED_OUT", "fabric CONNECTION_BROKEN", "fabric COMPLETION_LOST")));
    }

    @Test
    void sameSeedDoesTheSame() {
        for (long seed = FIRST; seed < FIRST + 5; seed++)
            assertEquals(
                    ClusterSimulation.run(drawn(seed)).traceHash(),
                    ClusterSimulation.run(drawn(seed)).traceHash());
    }
}
