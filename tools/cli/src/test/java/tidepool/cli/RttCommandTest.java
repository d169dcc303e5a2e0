package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of round trips from the command line, and its steps. */
class RttCommandTest {
    @TempDir
    Path folder;

    /** Without the option the table stays as narrow as it was. */
    @Test
    void stepsArePrintedWhenAskedFor() throws Exception {
        Path json = folder.resolve("rtt.json");
        CommandRun plain = CommandRun.of("rtt", "--protocol", "ford", "--fabric", "mem,shm");
        CommandRun seen =
                CommandRun.of("rtt", "--protocol", "ford", "--fabric", "mem,shm", "--steps", "--json", json.toString());

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().startsWith(plain.out()), seen.out());
        List<String> steps = seen.out()
                .substring(plain.out().length())
                .lines()
                .filter(line -> line.contains(" read-write "))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
        assertEquals(
                List.of(
                        "ford read-write lock 1 0 3 56 16 0 0 0 mem,shm",
                        "ford read-write commit 1 0 6 0 304 0 0 0 mem,shm",
                        "ford read-write release 0 0 0 0 0 3 8 24 mem,shm"),
                steps);
        assertTrue(Files.readString(json).contains("\"validate\""), Files.readString(json));
    }
}
