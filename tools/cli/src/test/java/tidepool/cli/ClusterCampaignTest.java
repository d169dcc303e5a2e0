package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;

/** Whole clusters from the command line. */
class ClusterCampaignTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford",
                "farm",
                "drtmh",
                "ford?reads=backup&undo=parallel",
                "ford-lv?vcache=global",
                "hdtx?reads=locked"
            })
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
        assertEquals(1, campaign(options -> ClusterReport.empty()).run(1, ClusterCampaign.MIN_SEEDS, null));
        assertTrue(err.toString().contains("never reached: committed"), err.toString());
    }

    @Test
    void anUnknownProtocolIsNamed() {
        CommandRun seen = CommandRun.of("simulate", "--protocol", "fjord");

        assertEquals(2, seen.exitCode());
        assertTrue(seen.err().contains("known: verbs, ford, ford-lv, farm, farmv2, motor, drtmh, hdtx"), seen.err());
    }

    /** A switch that is not understood would be a run of something else. */
    @Test
    void whatAProtocolCannotDoIsASentence() {
        assertRefused("protocol ford has no switch 'colour'; it has locking", "ford?colour=red");
        assertRefused("protocol farm has no switch 'reads'; it has none", "farm?reads=backup");
        assertRefused("reads takes one of primary, backup, not 'sideways': ford?reads=sideways", "ford?reads=sideways");
        assertRefused("parameter without a value: 'reads'", "ford?reads");
        assertRefused("unknown protocol 'fjord'; known: verbs, ford", "fjord?reads=backup");
        assertRefused("verbs has no switches: verbs?reads=backup", "verbs?reads=backup");
        assertRefused("farm does not flush, so nothing outlasts a loss of power", "farm", "--faults", "power");
        assertRefused("whole clusters draw their faults from the seed", "ford", "--faults", "order");
    }

    private static void assertRefused(String sentence, String protocol, String... more) {
        List<String> arguments = new ArrayList<>(List.of("simulate", "--protocol", protocol));
        arguments.addAll(List.of(more));
        CommandRun seen = CommandRun.of(arguments.toArray(String[]::new));

        assertEquals(2, seen.exitCode());
        assertTrue(seen.err().startsWith("tidepool: " + sentence), seen.err());
        assertEquals(1, seen.err().lines().count(), seen.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford?flush=full"})
    void clustersLoseTheirPower(String protocol) {
        CommandRun seen =
                CommandRun.of("simulate", "--protocol", protocol, "--faults", "power", "--seed", "7", "--seeds", "5");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("power cut = "), seen.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nodes", "nodes+power"})
    void memoryNodesDie(String faults) {
        CommandRun seen =
                CommandRun.of("simulate", "--protocol", "ford", "--faults", faults, "--seed", "7", "--seeds", "3");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("memory node died = "), seen.out());
    }

    /** The line goes through a shell, to which ? and & are something else. */
    @Test
    void switchesAreQuotedInTheLineThatRepeats() {
        int exitCode = campaign("ford?flush=full&reads=backup", "power", options -> {
                    throw new ClusterFailure("money is gone");
                })
                .run(3, 1, null);

        assertEquals(1, exitCode);
        String line = "./tidepool simulate --protocol 'ford?flush=full&reads=backup' --faults power --seed 0x3";
        assertTrue(err.toString().contains(line), err.toString());
    }

    private ClusterCampaign campaign(Function<ClusterOptions, ClusterReport> simulation) {
        return campaign("ford", "all", simulation);
    }

    private ClusterCampaign campaign(
            String protocol, String faults, Function<ClusterOptions, ClusterReport> simulation) {
        return new ClusterCampaign(
                protocol, faults, new PrintWriter(out, true), new PrintWriter(err, true), simulation);
    }
}
