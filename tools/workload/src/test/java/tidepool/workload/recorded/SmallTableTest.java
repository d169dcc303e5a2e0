package tidepool.workload.recorded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.Verdict;
import tidepool.testkit.Effort;

/**
 * Lists never fill their table, however many threads append: a run by time goes on to its end. Otherwise a fast machine
 * would only read after the table is full, which shows little.
 */
@Tag("full")
class SmallTableTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int SECONDS = Effort.of(1, 1, 60);
    private static final int THREADS = 16;
    private static final int KEYS = 3;
    private static final int LONGEST = 1;

    @TempDir
    Path folder;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(java.util.logging.Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "motor", "motor?isolation=snapshot", "hdtx"})
    void aRunGoesOnToItsEnd(String protocol) throws Exception {
        RecordedOptions options =
                new RecordedOptions("append", "mem", protocol, 1, 0, SECONDS, 1, THREADS, 0, KEYS, LONGEST);
        Path file = folder.resolve("history.jsonl");

        RecordedResult result = new Recording(options, file, line -> {}).run();

        String text = String.join("\n", result.text());
        assertTrue(result.seconds() >= SECONDS, text);
        assertTrue(
                result.eventCounts().count("lists deleted")
                        > options.spec("lists").rows(),
                "it never was full: " + text);
        Verdict verdict = HistoryChecker.check(History.read(file));
        assertTrue(verdict.holds(options.promise()), verdict.report());
        assertEquals(0, verdict.counts().unknown());
    }
}
