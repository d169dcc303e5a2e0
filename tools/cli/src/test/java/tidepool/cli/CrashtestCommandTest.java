package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Options that cannot be run are refused with a sentence; the campaigns themselves are tested in their module. */
class CrashtestCommandTest {
    @Test
    void whatCannotBeRunIsASentence() {
        assertRefused("--fabric takes shm or tcp", "crashtest", "--fabric", "mem");
        assertRefused("--faults needs --fabric tcp", "crashtest", "--faults", "3");
        assertRefused("--faults takes 0 to 10000", "crashtest", "--fabric", "tcp", "--faults", "-1");
        assertRefused("--kills takes 1 to 10000", "crashtest", "--kills", "0");
        assertRefused("--workers takes 2 to 16", "crashtest", "--workers", "1");
        assertRefused("--fabric takes shm or tcp, not 'sim'", "demo", "--fabric", "sim");
    }

    private static void assertRefused(String sentence, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().contains(sentence), run.err());
    }
}
