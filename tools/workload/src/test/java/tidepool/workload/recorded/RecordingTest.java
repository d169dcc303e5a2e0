package tidepool.workload.recorded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.Level;
import tidepool.history.Verdict;
import tidepool.protocol.Protocols;
import tidepool.workload.site.TcpSite;

/** Both workloads, on every fabric, leave a history that shows something and is in order. */
@Tag("full")
@Tag("process")
class RecordingTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @TempDir
    Path folder;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(java.util.logging.Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"append", "rows"})
    void threadsInOneProcess(String workload) throws Exception {
        RecordedResult result = record(options(workload, "mem", 4000, 1, 4, 0, 1));

        Verdict verdict = assertStrict(result);
        assertEquals(0, verdict.counts().unknown());
        assertShows(result);
    }

    /** Splits are transactions of the history. Without them, the versions of buckets would be of no transaction. */
    @ParameterizedTest
    @ValueSource(strings = {"mem", "shm", "sim"})
    void tablesGrowMeanwhile(String fabric) throws Exception {
        int processes = fabric.equals("mem") ? 1 : 2;
        int kills = fabric.equals("mem") ? 0 : 2;
        RecordedResult result =
                record(new RecordedOptions("rows", fabric, "ford", 1, 3000, 0, processes, 2, kills, 400, 20));

        assertStrict(result);
        long splits = Files.readAllLines(result.history()).stream()
                .filter(line -> line.contains("[\"s\","))
                .count();
        assertTrue(splits > 10, "splits " + splits);
    }

    /** Snapshot isolation is no failure of a protocol that promises no more. */
    @Test
    void aRunIsJudgedByThePromiseOfItsProtocol() throws Exception {
        assertEquals(Level.STRICT_SERIALIZABILITY, promise("motor"));
        assertEquals(Level.STRICT_SERIALIZABILITY, promise("ford"));
        assertEquals(Level.SNAPSHOT_ISOLATION, promise("motor?isolation=snapshot"));
    }

    private static Level promise(String protocol) {
        return new RecordedOptions("append", "mem", protocol, 1, 100, 0, 1, 2, 0, 8, 20).promise();
    }

    /** A killed process leaves transactions whose outcome is unknown. */
    @ParameterizedTest
    @ValueSource(strings = {"append", "rows"})
    void processesOfWhichSomeAreKilled(String workload) throws Exception {
        // By time: then clients work until the last one was killed, however fast they are.
        int keys = workload.equals("rows") ? 24 : 4;
        RecordedResult result = record(new RecordedOptions(workload, "shm", "ford", 1, 0, 2, 2, 2, 3, keys, 20));

        Verdict verdict = assertStrict(result);
        assertEquals(3, result.killed());
        assertEquals(result.summary().unknown(), verdict.counts().unknown());
        // A list is invoked before its first verb: it is unlikely that three kills are outside of a transaction.
        if (workload.equals("append")) assertTrue(verdict.counts().unknown() > 0, result.text()::toString);
        assertShows(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"append", "rows"})
    void machinesOfTheSimulatorOfWhichSomeDie(String workload) throws Exception {
        long unknown = 0;
        for (long seed = 11; seed < 14; seed++) {
            RecordedResult result = record(options(workload, "sim", 1500, 3, 2, 4, seed));

            Verdict verdict = assertStrict(result);
            assertEquals(4, result.killed());
            assertShows(result);
            unknown += verdict.counts().unknown();
        }
        assertTrue(unknown > 0, "no machine died in a commit");
    }

    /** A recorded run over the network: memory nodes are processes, and dead clients are known by their connections. */
    @ParameterizedTest
    @ValueSource(strings = {"append", "rows"})
    void processesOnMemoryNodesOfWhichSomeAreKilled(String workload) throws Exception {
        RecordedResult result = record(options(workload, "tcp", 3000, 2, 2, 2, 1));

        assertStrict(result);
        assertTrue(result.killed() > 0, result.text()::toString);
        assertShows(result);
    }

    /** Each protocol on its own pool, at the same three nodes. */
    @Test
    void everyProtocolOverTheNetwork() throws Exception {
        try (TcpSite site = new TcpSite(folder, "", TcpSite.Nodes.DEFAULT)) {
            for (String name : Protocols.names()) {
                String protocol = name.equals("ford-lv") ? "ford-lv?vcache=global" : name;
                String url = site.url(name) + "?replicas=2&memory=8m";
                RecordedResult result =
                        record(new RecordedOptions("append", url, protocol, 11, 400, 0, 2, 2, 0, 4, 20));
                assertStrict(result);
                assertTrue(result.tally().commits() > 200, protocol + ": " + result.text());
            }
        }
    }

    /** A protocol that is added is recorded and checked from its first day. */
    @Test
    void everyProtocolOnTheSimulator() throws Exception {
        for (String name : Protocols.names())
            for (String workload : RecordedOptions.WORKLOADS) {
                // Several machines write one table: with owners all but one would be refused.
                String protocol = name.equals("ford-lv") ? "ford-lv?vcache=global" : name;
                RecordedResult result = record(new RecordedOptions(
                        workload, "sim", protocol, 11, 400, 0, 2, 2, 1, workload.equals("rows") ? 24 : 4, 20));
                assertStrict(result);
                assertTrue(result.tally().commits() > 200, protocol + ": " + result.text());
            }
    }

    /** A finding can be shown to others by an equal file. */
    @ParameterizedTest
    @ValueSource(strings = {"append", "rows"})
    void sameSeedGivesTheSameBytes(String workload) throws Exception {
        byte[] one = Files.readAllBytes(
                record(options(workload, "sim", 300, 2, 2, 1, 3)).history());
        byte[] two = Files.readAllBytes(
                record(options(workload, "sim", 300, 2, 2, 1, 3)).history());
        byte[] other = Files.readAllBytes(
                record(options(workload, "sim", 300, 2, 2, 1, 4)).history());

        assertArrayEquals(one, two);
        assertTrue(one.length != other.length || !java.util.Arrays.equals(one, other), "the seed decides nothing");
    }

    /** A check must be able to fail: the history exposes a protocol that does not validate its reads. */
    @Test
    void bugsShowInTheHistory() throws Exception {
        for (boolean found : List.of(true, false)) {
            RecordedOptions options = options("rows", "sim", 2000, 3, 2, 0, 5);
            RecordedResult result = new Recording(options, folder.resolve("bug.jsonl"), line -> {})
                    .with(() -> new CarelessFord(found))
                    .run();

            Verdict verdict = HistoryChecker.check(History.read(result.history()));
            assertTrue(!verdict.holds(Level.SERIALIZABILITY), verdict.report());
        }
        RecordedOptions lists = options("append", "sim", 2000, 3, 2, 0, 5);
        RecordedResult result = new Recording(lists, folder.resolve("bug.jsonl"), line -> {})
                .with(() -> new CarelessFord(false))
                .run();
        Verdict verdict = HistoryChecker.check(History.read(result.history()));
        assertTrue(!verdict.holds(Level.SERIALIZABILITY), verdict.report());
    }

    /** Contents of an earlier run in the pool do not disturb a later one. */
    @Test
    void aPoolThatExistsIsUsedAgain() throws Exception {
        String url = "shm:" + folder.resolve("pool") + "?nodes=2&replicas=2&memory=4m";
        for (int run = 0; run < 2; run++) assertStrict(record(options("append", url, 500, 1, 1, 0, run)));
        assertTrue(Files.isDirectory(folder.resolve("pool")), "somebody else's pool stays");
    }

    @Test
    void whatCannotBeRunIsASentence() {
        assertRefused("unknown fabric 'rdma'; known: mem, shm, sim, tcp, or the URL of a pool", "append", "rdma", 1, 0);
        assertRefused("mem: is a pool inside one process: --processes 1", "append", "mem", 2, 0);
        assertRefused("on mem nobody can be killed but ourselves: use shm, tcp or sim", "rows", "mem:", 1, 1);
        assertRefused("somebody has to survive: --kill needs --processes 2 or more", "rows", "shm", 1, 1);
        assertRefused("for the simulator say --fabric sim --seed N", "rows", "sim:7", 1, 0);
        assertRefused("unknown workload 'tpcc'; known: append, rows", "tpcc", "mem", 1, 0);
    }

    private static void assertRefused(String sentence, String workload, String fabric, int processes, int kills) {
        RuntimeException e = assertThrows(
                IllegalArgumentException.class, () -> options(workload, fabric, 10, processes, 1, kills, 1));
        assertEquals(sentence, e.getMessage());
    }

    private RecordedResult record(RecordedOptions options) throws IOException, InterruptedException {
        Path file = Files.createTempFile(folder, options.workload(), ".jsonl");
        return new Recording(options, file, line -> {}).run();
    }

    private static RecordedOptions options(
            String workload, String fabric, long transactions, int processes, int threads, int kills, long seed) {
        int keys = workload.equals("rows") ? 24 : 4;
        return new RecordedOptions(
                workload, fabric, "ford", seed, transactions, 0, processes, threads, kills, keys, 20);
    }

    private static Verdict assertStrict(RecordedResult result) throws IOException {
        Verdict verdict = HistoryChecker.check(History.read(result.history()));
        assertTrue(verdict.holds(Level.STRICT_SERIALIZABILITY), verdict.report());
        assertEquals(result.summary().transactions(), verdict.counts().transactions());
        assertEquals(result.summary().ok(), verdict.counts().ok());
        return verdict;
    }

    /** A history in which nothing happens proves nothing. */
    private static void assertShows(RecordedResult result) {
        List<String> events = result.options().workload().equals("append")
                ? List.of("first-touch inserts", "lists", "lists filled and left behind", "found a list full")
                : List.of(
                        "rows read",
                        "rows not found",
                        "updates",
                        "deletes",
                        "inserts",
                        "re-inserts",
                        "own writes met again");
        for (String event : events) assertTrue(result.eventCounts().count(event) > 0, event + ": " + result.text());
        assertTrue(result.tally().rollbacks() > 0 && result.summary().failed() > 0, result.text()::toString);
    }
}
