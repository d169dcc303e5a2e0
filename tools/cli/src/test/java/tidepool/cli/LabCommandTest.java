package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidepool lab}: a table to read, files to keep, sentences for errors. */
class LabCommandTest {
    @TempDir
    Path folder;

    @Test
    void aFigureIsATableAndFiles() throws IOException {
        Path mine = Files.writeString(folder.resolve("mine.properties"), "wire.oneway.ns = 500\n");
        Path out = folder.resolve("out");
        CommandRun run = CommandRun.of("lab", "18", "--quick", "--profile", mine.toString(), "--out", out.toString());
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().startsWith("profile mine.properties, seed 1, quick"), run.out());
        assertTrue(run.out().contains("throughput enabled / disabled"), run.out());
        for (String file : new String[] {"fig18-p50.svg", "fig18-p99.svg", "fig18.csv", "fig18.json"})
            assertTrue(Files.size(out.resolve(file)) > 0, file);
    }

    @Test
    void wrongArgumentsAreSentences() throws IOException {
        refused(2, "say which figures: 14, 16, 17", CommandRun.of("lab"));
        refused(2, "there is no figure '15' in the lab", CommandRun.of("lab", "15", "--out", folder.toString()));
        refused(2, "--threads takes at least 1, not 0", CommandRun.of("lab", "14", "--threads", "0"));
        refused(1, "no such profile: nowhere", CommandRun.of("lab", "14", "--profile", "nowhere"));
        Path bad = Files.writeString(folder.resolve("bad"), "speed = 3\n");
        CommandRun unknown = CommandRun.of("lab", "14", "--profile", bad.toString());
        assertEquals(1, unknown.exitCode());
        assertTrue(unknown.err().contains("line 1: there is no constant 'speed'"), unknown.err());
        String file = Files.writeString(folder.resolve("file"), "").toString();
        refused(1, "nothing can be written to the folder", CommandRun.of("lab", "14", "--out", file));
    }

    private static void refused(int code, String sentence, CommandRun run) {
        assertEquals(code, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("tidepool: " + sentence), run.err());
    }
}
