package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The command reports errors in its options before it starts anything. */
class MutantsCommandTest {
    @Test
    void withoutACheckoutItSaysSo() {
        refused("mutants need a checkout", "mutants");
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        refused("--module takes protocol, store, model or api, not 'attic'", "mutants", "--module", "attic");
        refused("--effort takes quick or full, not 'night'", "mutants", "--effort", "night");
        refused("--count takes 1 to 100000", "mutants", "--count", "0");
        refused("--seconds takes 1 to 3600", "mutants", "--seconds", "0");
        refused("--only takes a regular expression: ", "mutants", "--only", "(");
    }

    /** The driver looks for classes below its first argument; in any other folder it would find nothing to change. */
    @Test
    void theDriverIsGivenTheCheckout() {
        Path checkout = Path.of("/some/checkout");

        List<String> command = new MutantsCommand().command(checkout.resolve("evidence/mutants"));

        assertEquals(
                checkout.toString(),
                command.get(command.indexOf("tidepool.mutants.MutantsMain") + 1),
                "the argument after the driver's class");
    }

    /** The driver ends a trial after its processor time and five times as much waiting. */
    @Test
    void theLimitIsLongerThanTheLongestRun() {
        MutantsCommand command = new MutantsCommand();
        command.count = 100_000;
        command.seconds = 3_600;

        assertTrue(command.limit().compareTo(Duration.ofSeconds(6L * command.count * command.seconds)) > 0);
        assertTrue(command.limit().toNanos() > 0, "it can be waited for");
    }

    @Test
    void helpNamesEveryOption() {
        CommandRun run = CommandRun.of("mutants", "--help");

        assertEquals(0, run.exitCode());
        for (String option : new String[] {"--module", "--count", "--seed", "--seconds", "--only", "--tests", "--jobs"})
            assertTrue(run.out().contains(option), run.out());
    }

    private static void refused(String why, String... arguments) {
        CommandRun run = CommandRun.of(arguments);

        assertTrue(run.exitCode() != 0, "refused");
        assertTrue(run.err().contains(why), run.err());
    }
}
