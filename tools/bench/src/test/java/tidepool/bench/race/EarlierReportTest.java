package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierReportTest {
    @TempDir
    Path folder;

    /** A comparison with a wrong file is refused before the run, not after. */
    @Test
    void whatIsNoReportIsRefusedInASentence() throws IOException {
        Path file = folder.resolve("old.json");
        assertRefused("no report to compare with: " + file, file);
        for (String text : new String[] {
            "",
            "hello",
            "[]",
            "{\"schema\":1}",
            "{\"command\":\"bench kvs\",\"results\":[{\"contender\":\"ford/shm\"",
            "{\"command\":\"rtt\",\"results\":[{\"commitsPerSecond\":1}]}",
            "{\"command\":\"bench fabric\",\"results\":[{\"fabric\":\"shm\"}]}"
        }) {
            Files.writeString(file, text);
            assertRefused("not a report that 'bench --json' has written: " + file, file);
        }
    }

    @Test
    void plainFieldsAreReadAndOthersPassedOver() throws IOException {
        Path file = folder.resolve("old.json");
        Files.writeString(
                file,
                "{\"schema\":1,\"command\":\"bench kvs\",\"environment\":{\"cores\":\"2\"},\"results\":[{\"contender\":"
                        + "\"ford/shm\",\"commitsPerSecond\":12.5,\"aborts\":{\"locked\":3},\"wrong\":[],"
                        + "\"spread\":0.1}]}");
        EarlierReport earlier = EarlierReport.read(file);

        assertEquals("12.5", earlier.of("ford/shm").get("commitsPerSecond"));
        assertEquals("0.1", earlier.of("ford/shm").get("spread"));
        assertEquals("2", earlier.environment().get("cores"));
        assertEquals(null, earlier.of("farm/shm"));
    }

    private static void assertRefused(String sentence, Path file) {
        var refused = assertThrows(IllegalArgumentException.class, () -> EarlierReport.read(file));
        assertEquals(sentence, refused.getMessage());
    }
}
