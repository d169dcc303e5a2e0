package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.check.cluster.ClusterFailure;
import tidepool.check.cluster.ClusterOptions;
import tidepool.check.cluster.ClusterReport;

/** Whole clusters from the command line. */
class ClusterCampaignTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "drtmh"})
    void clustersRunAndSayWhatTheyReached(String protocol) {
        CommandRun seen = CommandRun.of("simulate", "--protocol", protocol, "--seed", "7", "--seeds", "5");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("Simulating 5 clusters of " + protocol), seen.out());
        assertTrue(seen.out().contains("committed = "), seen.out());
        assertTrue(seen.out().contains("No violation in 5 seeds."), seen.out());
    }

    @Test
    void aFailurePrintsTheLineThatRepeatsIt() {
        int exitCode = campaign(options -> {
                    if (options.seed() == 0x12) throw new ClusterFailure("seed=18: money is gone");
                    return ClusterReport.empty();
                })
                .run(0x10, 9, null);

        assertEquals(1, exitCode);
        assertTrue(err.toString().contains("violation: seed=18: money is gone"), err.toString());
        assertTrue(err.toString().contains("./tidepool simulate --protocol ford --seed 0x12"), err.toString());
    }

    /** A campaign that reached nothing has shown nothing. */
    @Test
    void aCampaignThatReachedNothingFails() {
        assertEquals(1, campaign(options -> ClusterReport.empty()).run(1, ClusterCampaign.LEAST_SEEDS, null));
        assertTrue(err.toString().contains("never reached: committed"), err.toString());
    }

    @Test
    void anUnknownProtocolIsNamed() {
        CommandRun seen = CommandRun.of("simulate", "--protocol", "fjord");

        assertEquals(2, seen.exitCode());
        assertTrue(seen.err().contains("known: verbs, ford, ford-lv, farm, drtmh"), seen.err());
    }

    private ClusterCampaign campaign(Function<ClusterOptions, ClusterReport> simulation) {
        return new ClusterCampaign("ford", new PrintWriter(out, true), new PrintWriter(err, true), simulation);
    }
}
