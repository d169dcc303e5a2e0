package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tidepool.sim.ReferenceRecord.View;
import tidepool.verbs.ClientRules;
import tidepool.verbs.Faults;
import tidepool.verbs.VerbsOptions;
import tidepool.verbs.VerbsSimulation;

/** A simulation from the command line: its output, and the command that repeats it. */
class SimulateCommandTest {
    @Test
    void aRunPrintsWhatItReachedAndItsHash() {
        CommandRun seen = CommandRun.of("simulate", "--seed", "0x5eed", "--rounds", "30", "--trace", "4");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("seed 0x5eed"), seen.out());
        assertTrue(seen.out().contains("reordered pair"), seen.out());
        assertTrue(seen.out().contains("No violation in 1 seed."), seen.out());
        assertTrue(seen.out().lines().anyMatch(line -> line.matches("\\d+ \\S+ who=.*")), seen.out());
    }

    /** One pool in long use: its memory is reported, and it is bounded. */
    @Test
    void aLongRunCountsMemory() {
        CommandRun seen = CommandRun.of("simulate", "--protocol", "motor", "--updates", "4000", "--seed", "7");

        assertEquals(0, seen.exitCode(), seen.out() + seen.err());
        assertTrue(seen.out().contains("Nothing grew."), seen.out());
        assertTrue(seen.out().lines().anyMatch(line -> line.matches("overflow buckets +[1-9]\\d*")), seen.out());
        assertTrue(seen.out().lines().anyMatch(line -> line.matches("rows that came +1,?\\d{3}")), seen.out());
        assertTrue(seen.out().lines().anyMatch(line -> line.matches("machines that died +[1-9]\\d*")), seen.out());
    }

    @Test
    void aLongRunIsOfOneProtocol() {
        for (String[] wrong : new String[][] {{"--updates", "10"}, {"--updates", "-1", "--protocol", "motor"}})
            assertEquals(
                    2,
                    CommandRun.of(Stream.concat(Stream.of("simulate"), Stream.of(wrong))
                                    .toArray(String[]::new))
                            .exitCode());
    }

    /** The events of a cluster name the steps of its protocol, which its page explains. */
    @Test
    void aClusterPrintsEventsWithTheirSteps() {
        CommandRun seen = CommandRun.of("simulate", "--protocol", "ford", "--seed", "7", "--trace", "4000");

        assertEquals(0, seen.exitCode(), seen.err());
        List<String> events = seen.out()
                .lines()
                .filter(line -> line.matches("\\d+ \\S+ who=.*"))
                .toList();
        assertEquals(4000, events.size());
        for (String step : List.of("lock", "validate", "commit", "release"))
            assertTrue(
                    events.stream().anyMatch(line -> line.contains(" applied ") && line.endsWith("step=" + step)),
                    step);
        assertEquals(clusterHash(), clusterHash("--trace", "4000"));
    }

    private static String clusterHash(String... more) {
        List<String> line = new ArrayList<>(List.of("simulate", "--protocol", "ford", "--seed", "7"));
        line.addAll(List.of(more));
        return CommandRun.of(line.toArray(String[]::new))
                .out()
                .replaceAll("(?s).*trace hash of the last seed (0x[0-9a-f]+).*", "$1");
    }

    /** Otherwise the option would be ignored without a word. */
    @Test
    void aLongRunRefusesToPrintEvents() {
        CommandRun seen =
                CommandRun.of("simulate", "--protocol", "motor", "--updates", "10", "--seed", "7", "--trace", "4");

        assertTrue(seen.exitCode() != 0, "refused");
        assertTrue(seen.err().contains("--trace does not go with --updates"), seen.err());
    }

    /** A repeated command line repeats the run. */
    @Test
    void theSameSeedPrintsTheSameHash() {
        assertEquals(hash("42"), hash("0x2a"));
    }

    private static String hash(String seed) {
        CommandRun seen = CommandRun.of("simulate", "--seed", seed, "--rounds", "20");
        return seen.out()
                .lines()
                .filter(line -> line.startsWith("trace hash"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void withoutASeedOneIsChosenAndSaid() {
        CommandRun seen = CommandRun.of("simulate", "--rounds", "5", "--faults", "none");

        assertTrue(seen.out().matches("(?s)Simulating 1 seed from seed 0x[0-9a-f]+: .*"), seen.out());
    }

    @Test
    void theReportHasAResultForEachSeed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("report.json");
        CommandRun seen = CommandRun.of(
                "simulate",
                "--seed",
                "7",
                "--seeds",
                "3",
                "--rounds",
                "5",
                "--faults",
                "order",
                "--json",
                file.toString());

        assertEquals(0, seen.exitCode(), seen.err());
        String json = Files.readString(file);
        for (String field :
                new String[] {"schema", "command", "environment", "protocol", "transactions", "faultsInjected"})
            assertTrue(json.contains("\"" + field + "\""), json);
        for (String seed : new String[] {"0x7", "0x8", "0x9"})
            assertTrue(json.contains("\"seed\" : \"" + seed + "\""), json);
    }

    /** A failure is worth as much as the line that repeats it. */
    @Test
    void aViolationPrintsTheLineThatRepeatsIt() {
        CommandRun seen = run(
                options -> new VerbsSimulation(options, new ClientRules() {
                    @Override
                    protected boolean accepts(View view) {
                        return view != View.EMPTY;
                    }
                }),
                "--seed=0x10",
                "--seeds=5",
                "--rounds=60",
                "--faults=order",
                "--nodes=2");

        assertEquals(1, seen.exitCode(), seen.out());
        assertTrue(seen.err().contains("violation: records: a reader accepts what nobody wrote"), seen.err());
        assertEquals(
                "repeat it: ./tidepool simulate --seed 0x10 --faults order --rounds 60 --nodes 2",
                seen.err().lines().toList().getLast());
    }

    /** Faults that never happened have shown nothing. */
    @Test
    void aLongCampaignThatMissesSomethingFails() {
        CommandRun seen = run(
                options -> new VerbsSimulation(VerbsOptions.of(Faults.NONE, options.rounds())),
                "--seed=1",
                "--rounds=12500",
                "--faults=network");

        assertEquals(1, seen.exitCode(), seen.out());
        assertTrue(seen.err().startsWith("never reached: "), seen.err());
        assertTrue(seen.err().contains("completion lost"), seen.err());
    }

    private static CommandRun run(Function<VerbsOptions, VerbsSimulation> simulations, String... options) {
        CommandLine commandLine = Main.commandLine();
        SimulateCommand command = commandLine.getSubcommands().get("simulate").getCommand();
        command.simulations = simulations;
        List<String> arguments = new ArrayList<>(List.of("simulate"));
        arguments.addAll(List.of(options));
        return CommandRun.of(commandLine, arguments.toArray(String[]::new));
    }

    @Test
    void whatIsNotUnderstoodIsRefusedWithWhatIsKnown() {
        assertRefused("unknown faults 'x'; known: none, order, network, crash, power, all", "--faults", "x");
        assertRefused("faults 'clock' mean nothing yet", "--faults", "clock");
        assertRefused("a seed is a number such as 42 or 0x5eed, not 'seed'", "--seed", "seed");
        assertRefused("1 to 256 strands, not 0", "--strands", "0");
        assertRefused("unknown cost profile 'cx9'; known: cx5", "--profile", "cx9");
        assertRefused("at least 1 seed, not 0", "--seeds", "0");
    }

    private static void assertRefused(String sentence, String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "simulate";
        System.arraycopy(options, 0, arguments, 1, options.length);
        CommandRun seen = CommandRun.of(arguments);

        assertEquals(2, seen.exitCode());
        assertTrue(seen.err().startsWith("tidepool: " + sentence), seen.err());
        assertEquals(1, seen.err().lines().count(), seen.err());
    }
}
