package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options that {@code bench WORKLOAD} refuses, in a sentence and before anything runs; and one small run of it. */
class BenchCommandTest {
    private static final int NOT_UNDERSTOOD = 2;

    @TempDir
    Path folder;

    @Test
    void withoutAWorkloadItSaysWhichThereAre() {
        assertRefused(NOT_UNDERSTOOD, "say what to measure: kvs, smallbank");
    }

    @Test
    void unknownNamesGetTheNearest() {
        assertRefused(NOT_UNDERSTOOD, "unknown workload 'smalbank' (did you mean 'smallbank'?)", "smalbank");
        assertRefused(NOT_UNDERSTOOD, "unknown workload 'fabrik' (did you mean 'fabric'?)", "fabrik");
        assertRefused(
                NOT_UNDERSTOOD, "unknown protocol 'frod' (did you mean 'ford'?)", "kvs", "--protocol", "farm,frod");
        assertRefused(NOT_UNDERSTOOD, "unknown fabric 'smh' (did you mean 'shm'?)", "kvs", "--fabric", "smh");
        assertRefused(
                NOT_UNDERSTOOD, "unknown peer 'rocksbd' (did you mean 'rocksdb'?)", "smallbank", "--peers", "rocksbd");
        assertRefused(
                NOT_UNDERSTOOD, "unknown option '--protocl'; did you mean '--protocol'?", "kvs", "--protocl", "x");
        assertRefused(NOT_UNDERSTOOD, "unknown option 'recods' of kvs", "kvs?recods=5");
        assertRefused(NOT_UNDERSTOOD, "protocol farm has no switch 'reads'", "kvs", "--protocol", "farm?reads=backup");
    }

    @Test
    void impossibleCombinationsAreRefused() {
        assertRefused(NOT_UNDERSTOOD, "rocksdb does not run kvs", "kvs", "--peers", "rocksdb");
        assertRefused(NOT_UNDERSTOOD, "rocksdb keeps no names", "smallbank", "--scale", "spec", "--peers", "rocksdb");
        assertRefused(NOT_UNDERSTOOD, "nobody takes part", "kvs", "--protocol", "none");
        assertRefused(
                NOT_UNDERSTOOD, "each protocol, fabric and peer can race only once", "kvs", "--fabric", "mem,mem");
        assertRefused(NOT_UNDERSTOOD, "--attempts is for ours alone", "smallbank", "--peers", "chm", "--attempts", "1");
        assertRefused(NOT_UNDERSTOOD, "kvs records no history", "kvs", "--history", "h.jsonl");
        assertRefused(NOT_UNDERSTOOD, "option 'records' of kvs is given twice", "kvs?records=5k", "--records", "7k");
        assertRefused(NOT_UNDERSTOOD, "unknown option 'accounts' of kvs", "kvs", "--accounts", "100");
    }

    @Test
    void numbersHaveTheirLimits() {
        assertRefused(NOT_UNDERSTOOD, "--threads takes 1 to 64, not 0", "kvs", "--threads", "0");
        assertRefused(NOT_UNDERSTOOD, "--coordinators takes 1 to 500", "kvs", "--coordinators", "0");
        assertRefused(NOT_UNDERSTOOD, "--nodes takes 1 to 16, not 0", "kvs", "--nodes", "0");
        assertRefused(NOT_UNDERSTOOD, "--replicas takes 1 to 4, not 5", "kvs", "--replicas", "5");
        assertRefused(
                NOT_UNDERSTOOD,
                "--replicas takes at most as many as there are --nodes, which are 1, not 2",
                "kvs",
                "--nodes",
                "1",
                "--replicas",
                "2");
        assertRefused(NOT_UNDERSTOOD, "--memory takes a size such as 4096, 64m or 4g, not 'x'", "kvs", "--memory", "x");
        assertRefused(NOT_UNDERSTOOD, "--rate takes", "kvs", "--rate", "-5");
        assertRefused(NOT_UNDERSTOOD, "--rounds takes 1 to 1000", "kvs", "--rounds", "0");
        assertRefused(NOT_UNDERSTOOD, "--seconds takes 0.1 to 3600", "kvs", "--seconds", "0");
        assertRefused(NOT_UNDERSTOOD, "--warm-up takes 0 to 3600", "kvs", "--warm-up", "-1");
        assertRefused(NOT_UNDERSTOOD, "--attempts takes 1 or more", "kvs", "--attempts", "-1");
        assertRefused(NOT_UNDERSTOOD, "scale takes paper or spec", "kvs", "--scale", "huge");
        assertRefused(NOT_UNDERSTOOD, "invalid value for option '--threads'", "kvs", "--threads", "two");
    }

    @Test
    void growthRefusesWhatItCannotMeasure() {
        assertRefused(NOT_UNDERSTOOD, "unknown fabric 'sim'", "growth", "--fabric", "sim");
        assertRefused(NOT_UNDERSTOOD, "unknown protocol 'frod' (did you mean 'ford'?)", "growth", "--protocol", "frod");
        assertRefused(NOT_UNDERSTOOD, "--rows takes 1 to", "growth", "--rows", "0");
        assertRefused(NOT_UNDERSTOOD, "--grown takes --rows to", "growth", "--rows", "10", "--grown", "9");
        assertRefused(NOT_UNDERSTOOD, "--threads takes 1 to 64, not 65", "growth", "--threads", "65");
        assertRefused(NOT_UNDERSTOOD, "--rounds takes 1 to 1000, not 0", "growth", "--rounds", "0");
        assertRefused(NOT_UNDERSTOOD, "--memory takes 128m or more, not 64m", "growth", "--memory", "64m");
    }

    @Test
    void indexRefusesWhatItCannotMeasure() {
        assertRefused(NOT_UNDERSTOOD, "unknown fabric 'tcp'", "index", "--fabric", "tcp");
        assertRefused(NOT_UNDERSTOOD, "unknown protocol 'frod' (did you mean 'ford'?)", "index", "--protocol", "frod");
        assertRefused(NOT_UNDERSTOOD, "--rows takes 1000 to 100000000, not 9", "index", "--rows", "9");
        assertRefused(NOT_UNDERSTOOD, "--threads takes 1 to 64, not 65", "index", "--threads", "65");
        assertRefused(NOT_UNDERSTOOD, "--rounds takes 1 to 1000, not 0", "index", "--rounds", "0");
    }

    /** Stores without an order of keys are refused for scans before anything runs. */
    @Test
    void storesThatDoNotScanAreRefused() {
        assertRefused(NOT_UNDERSTOOD, "straw does not run ycsb-e; of the peers rocksdb,", "ycsb-e", "--peers", "straw");
    }

    /** Rows do not fit the memory that was asked for: a sentence, and no figures. */
    @Test
    void growthSaysThatMemoryEnds() {
        CommandRun run = CommandRun.of(
                "bench", "growth", "--fabric", "mem", "--rows", "20000", "--threads", "1", "--memory", "128m");
        assertEquals(1, run.exitCode(), run.out());
        assertTrue(run.err().startsWith("tidepool: table "), run.err());
        assertTrue(run.err().contains(" is full: "), run.err());
    }

    @Test
    void aSmallTableOfGrowthHasBothRows() {
        CommandRun run = CommandRun.of(
                "bench", "growth", "--fabric", "mem", "--rows", "20", "--rounds", "1", "--protocol", "motor");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains("a table that was made for 20 rows takes 1,280"), run.out());
        assertEquals(
                2,
                run.out()
                        .lines()
                        .filter(line -> line.matches("(grows|made large) +\\d.*"))
                        .count(),
                run.out());
    }

    /** Reports that cannot be written are refused before the benchmark, not at its end. */
    @Test
    void filesThatCannotBeWrittenAreRefusedBefore() throws Exception {
        Path missing = folder.resolve("missing/r.json");
        assertRefused(1, "no such folder for the report: ", "kvs", "--json", missing.toString());
        assertRefused(1, "no such folder for the report: ", "kvs", "--report", missing.toString());
        assertRefused(1, "the report is to be a file, not a folder: ", "kvs", "--json", folder.toString());
        assertRefused(NOT_UNDERSTOOD, "no report to compare with: ", "kvs", "--compare", missing.toString());
        Path text = Files.writeString(folder.resolve("old.json"), "hello");
        assertRefused(NOT_UNDERSTOOD, "not a report that 'bench --json'", "kvs", "--compare", text.toString());
    }

    /** Libraries of foreign stores are not on our own class path. */
    @Test
    void peersThatAreNotBuiltAreNamed() {
        assertRefused(1, "the libraries of rocksdb are not here", "smallbank", "--peers", "rocksdb");
    }

    @Test
    void tooLargeAPoolIsRefused() {
        assertRefused(1, "not enough room: ", "kvs", "--records", "4000m");
    }

    @Test
    void costRefusesWhatItCannotMeasure() {
        assertRefused(NOT_UNDERSTOOD, "unknown fabric 'sim'", "cost", "--fabric", "sim");
        assertRefused(NOT_UNDERSTOOD, "--objects takes 1 to 10000, not 10001", "cost", "--objects", "10001");
        assertRefused(NOT_UNDERSTOOD, "--threads takes 1 to 64, not 0", "cost", "--threads", "0");
        assertRefused(
                1,
                "no such folder",
                "cost",
                "--json",
                folder.resolve("missing/r.json").toString());
    }

    private static void assertRefused(int exitCode, String sentence, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "bench";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        CommandRun run = CommandRun.of(all);

        assertEquals("", run.out());
        assertTrue(run.err().startsWith("tidepool: " + sentence), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertEquals(exitCode, run.exitCode());
    }

    @Test
    void aSmallCostTableHasAllItsRows() throws Exception {
        Path json = folder.resolve("cost.json");
        CommandRun run = CommandRun.of(
                "bench",
                "cost",
                "--fabric",
                "mem",
                "--records",
                "1000,2000",
                "--objects",
                "1,8",
                "--threads",
                "1",
                "--seconds",
                "0.01",
                "--json",
                json.toString());

        assertEquals(0, run.exitCode(), run.err());
        assertEquals(
                8,
                run.out()
                        .lines()
                        .filter(line -> line.matches(" +1 +[12],000 .*"))
                        .count(),
                run.out());
        assertEquals(8, Files.readString(json).split("nanosPerRecord", -1).length - 1);
    }
}
