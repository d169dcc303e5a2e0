package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of a recorded run, and the files that it leaves. */
class RecordedCommandTest {
    @TempDir
    Path folder;

    /** The check accepts the file of a run, now or later. */
    @ParameterizedTest
    @ValueSource(strings = {"append", "rows"})
    void recordedHistoryIsCheckedAndKept(String workload) throws IOException {
        Path history = folder.resolve("h.jsonl");
        Path json = folder.resolve("r.json");

        CommandRun run =
                run(workload, "--transactions", "500", "--history", history.toString(), "--json", json.toString());
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains("OK        strict serializability"), run.out());
        CommandRun check = CommandRun.of("check", history.toString());
        assertEquals(0, check.exitCode(), check.out() + check.err());
        String report = Files.readString(json);
        for (String part : List.of(
                "\"command\" : \"bench " + workload + "\"",
                "\"contender\" : \"ford/mem\"",
                "\"workload\" : \"" + workload + "\"",
                "\"commitsPerSecond\"",
                "\"roundTripsPerTransaction\"",
                "\"bytesAllocatedPerTransaction\"",
                "\"strict serializability\" : true")) assertTrue(report.contains(part), part + " in " + report);
    }

    /**
     * A check must be able to fail: the last read of a list, or of a row, is changed to a value that was not written.
     */
    @Test
    void spoiledHistoriesAreRefused() throws IOException {
        Path lists = folder.resolve("lists.jsonl");
        Path rows = folder.resolve("rows.jsonl");
        assertEquals(
                0,
                run("append", "--fabric", "sim", "--transactions", "100", "--history", lists.toString())
                        .exitCode());
        assertEquals(
                0,
                run("rows", "--fabric", "sim", "--transactions", "100", "--history", rows.toString())
                        .exitCode());

        spoil(lists, "\\[\"r\",\\d+,\\[\\d+,.*", "\\[(\\d+),(\\d+)", "[$2,$1");
        spoil(rows, "\\[\\[\"r\",\\d+,\\d+\\]\\]", "\"r\",(\\d+),(\\d+)", "\"r\",$1,1$2");
        for (Path spoiled : List.of(lists, rows)) {
            CommandRun check = CommandRun.of("check", spoiled.toString());
            assertEquals(1, check.exitCode(), check.out() + check.err());
            assertTrue(check.out().contains("VIOLATED: strict serializability"), check.out());
        }
    }

    @Test
    void uncheckedRunSaysNothingAboutIsolation() {
        CommandRun run = run("rows", "--transactions", "50", "--no-check");

        assertEquals(0, run.exitCode(), run.err());
        assertFalse(run.out().contains("serializ"), run.out());
        assertTrue(run.out().contains("History   "), run.out());
    }

    @Test
    void wrongArgumentsAreSentences() {
        assertRefused("unknown fabric 'rdma'; known: mem, shm, sim", run("append", "--fabric", "rdma"));
        assertRefused("unknown protocol 'paxos'; known: ford", run("rows", "--protocol", "paxos"));
        assertRefused("say either --transactions or --seconds", run("rows", "--seconds", "1", "--transactions", "5"));
        assertRefused("on mem nobody can be killed", run("append", "--kill", "1"));
        assertRefused("--longest takes 1 to 100, not 101", run("append", "--longest", "101"));
        assertRefused("say what to measure: kvs, smallbank", CommandRun.of("bench"));
        CommandRun nowhere =
                run("rows", "--history", folder.resolve("no/such/h.jsonl").toString());
        assertEquals(1, nowhere.exitCode());
        assertTrue(nowhere.err().contains("no such folder for the history"), nowhere.err());
    }

    /** Snapshot isolation is all that this protocol promises. */
    @Test
    void aRunIsJudgedByThePromiseOfItsProtocol() {
        CommandRun run = run("append", "--transactions", "300", "--protocol", "motor?isolation=snapshot");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains("OK        snapshot isolation"), run.out());
    }

    /** The sentence of a client that fails, and not only that one has failed; in this process and in others. */
    @Test
    void aClientThatFailsIsReportedWithItsCause() {
        CommandRun tooLarge = run("append", "--fabric", "mem:?log=1k&logheap=0", "--transactions", "100");
        assertEquals(1, tooLarge.exitCode(), tooLarge.out());
        assertTrue(tooLarge.err().contains("a client failed: tidepool.TransactionTooLarge"), tooLarge.err());

        CommandRun owned = run("append", "--fabric", "shm", "--processes", "2", "--protocol", "ford-lv");
        assertEquals(1, owned.exitCode(), owned.out());
        assertTrue(owned.err().contains("table append is owned by session"), owned.err());
    }

    private static void assertRefused(String sentence, CommandRun run) {
        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("tidepool: " + sentence), run.err());
    }

    /** Changes the last line of an event that matches. */
    private static void spoil(Path file, String lines, String from, String to) throws IOException {
        List<String> all = Files.readAllLines(file);
        for (int i = all.size() - 1; i >= 0; i--) {
            if (!all.get(i).matches(".*" + lines + ".*")) continue;
            all.set(i, all.get(i).replaceFirst(from, to));
            Files.write(file, all);
            return;
        }
        throw new AssertionError("nothing to spoil in " + file);
    }

    private static CommandRun run(String workload, String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "bench";
        all[1] = workload;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return CommandRun.of(all);
    }
}
