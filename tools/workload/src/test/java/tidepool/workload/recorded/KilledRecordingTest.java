package tidepool.workload.recorded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.Level;
import tidepool.history.Verdict;
import tidepool.protocol.Step;
import tidepool.testkit.Effort;

/**
 * A real process is killed while its threads stand in the step that decides about a transaction, and in the one after
 * it: recovery has to undo the ones and to finish the others. The campaign is
 * {@code ./tidepool bench append --kill 40}.
 */
@Tag("full")
@Tag("process")
class KilledRecordingTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final Pattern EVENT = Pattern.compile("\"process\":(\\d+),\"type\":\"(\\w+)\"");
    private static final int THREADS = 6;

    /** Enough lists that a thread rarely needs one which a stopped thread has locked, and so comes to its place. */
    private static final int KEYS = 200;

    /** The minimum number of transactions that recovery finishes, and of those that it undoes, under each protocol. */
    private static final int MIN_RECOVERED = Effort.of(1, 1, 20);

    private static final int MAX_RUNS = Effort.of(5, 5, 20);

    @TempDir
    Path folder;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(java.util.logging.Level.OFF);
    }

    @ParameterizedTest
    @CsvSource({
        "shm, ford, commit, release",
        "shm, ford-lv?vcache=global, commit, settle",
        "shm, farm, log, commit",
        "shm, drtmh, log, release",
        "shm, farmv2, log, commit",
        "shm, motor, commit, release",
        "tcp, hdtx, commit, copy"
    })
    void whatTheDeadLeftIsFinishedOrUndone(String fabric, String protocol, String deciding, String decided)
            throws Exception {
        List<Step> sites = List.of(Step.named(deciding), Step.named(decided));
        long finished = 0;
        long undone = 0;
        // A thread that dies when all its verbs are sent leaves nothing to finish, so one run may not show both.
        for (int run = 0; run < MAX_RUNS && (finished < MIN_RECOVERED || undone < MIN_RECOVERED); run++) {
            Deaths deaths = deathsOfARun(fabric, protocol, sites, Effort.firstSeed() + run);
            finished += deaths.recoveries().finished();
            undone += deaths.recoveries().undone();
        }
        assertTrue(finished >= MIN_RECOVERED, "finished: " + finished);
        assertTrue(undone >= MIN_RECOVERED, "undone: " + undone);
    }

    /** Runs, kills, and checks all that holds wherever the threads stood when they died. */
    private Deaths deathsOfARun(String fabric, String protocol, List<Step> sites, long seed) throws Exception {
        RecordedOptions options = new RecordedOptions(
                "append", fabric, protocol, seed, 0, 1, 2, THREADS, Effort.of(1, 2, 20), sites, KEYS, 20);
        Path file = folder.resolve("history-" + seed + ".jsonl");

        RecordedResult result = new Recording(options, file, line -> {}).run();

        String text = String.join("\n", result.text());
        Verdict verdict = HistoryChecker.check(History.read(file));
        assertTrue(verdict.holds(Level.STRICT_SERIALIZABILITY), verdict.report());
        assertEquals(options.kills(), result.killed(), text);
        assertEveryInvocationHasAnEnd(file, result);

        Deaths deaths = result.deaths();
        int stopped = 0;
        for (Deaths.Site site : deaths.sites().values()) {
            stopped += site.threads();
            // A thread that stood in a transaction has left it in the history.
            assertTrue(site.threads() <= site.happened() + site.undone() + site.onlyRead(), text);
        }
        assertTrue(stopped >= 2, text);
        assertTrue(deaths.happened() + deaths.undone() > 0, text);
        // The last replacement is not killed. Another one may die before its first commit.
        assertTrue(deaths.workingReplacements() > 0, text);
        // Of the whole run, and not of those alone that lived to its end. Each lane ends with a list that is not there.
        assertEquals(result.summary().ok() - result.eventCounts().count("lists") - KEYS, result.commits(), text);
        return deaths;
    }

    /** An invocation alone says nothing to another checker, and its writes would be those of no transaction. */
    private static void assertEveryInvocationHasAnEnd(Path file, RecordedResult result) throws IOException {
        Map<String, String> last = new HashMap<>();
        long unknown = 0;
        for (String line : Files.readAllLines(file)) {
            Matcher event = EVENT.matcher(line);
            assertTrue(event.find(), line);
            last.put(event.group(1), event.group(2));
            if (event.group(2).equals("info")) unknown++;
        }
        assertTrue(!last.containsValue("invoke"), "a process ends with an invocation");
        assertEquals(result.summary().unknown(), unknown);
        assertTrue(unknown > 0, "killed transactions left no line");
    }
}
