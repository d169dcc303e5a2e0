package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static tidepool.check.cluster.ClusterOptions.drawnWithNodes;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory nodes die, at any moment, and come back with nothing: what was acknowledged is there, and all copies are equal. */
class NodeLossTest {
    private static final int SEEDS = Integer.getInteger("seeds", 150);
    private static final long FIRST = Long.getLong("seed", 1);

    @Test
    void nothingAcknowledgedIsLost() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) all.add(ClusterSimulation.run(drawnWithNodes(seed)));
        System.out.println(all);
        assertEquals(
                List.of(),
                all.missing(List.of(
                        "memory node died",
                        "first memory node died",
                        "memory node died while the roster changed",
                        "memory node died while copies were filled",
                        "steward died",
                        "change cut off",
                        "change finished",
                        "change undone",
                        "change freed a lock",
                        "objects copied to a new copy")));
    }

    @Test
    void theSameSeedIsTheSameRun() {
        for (long seed = 1; seed <= 5; seed++)
            assertEquals(
                    ClusterSimulation.run(drawnWithNodes(seed)).traceHash(),
                    ClusterSimulation.run(drawnWithNodes(seed)).traceHash());
    }
}
