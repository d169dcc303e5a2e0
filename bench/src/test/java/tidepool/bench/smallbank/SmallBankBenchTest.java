package tidepool.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The race is run as it says, and its check of the money can fail. How fast anybody is is not asked here. */
class SmallBankBenchTest {
    private static final int CUSTOMERS = 1_000;

    @TempDir
    Path folder;

    private static RaceOptions options(List<String> peers) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new RaceOptions(List.of("ford"), peers, CUSTOMERS, 2, 2, 100, 100, 1, classPath, List.of("-Xms64m"));
    }

    /** Contenders in processes of their own, rounds in turns, figures in the report and in the file. */
    @Test
    void contendersRaceInTurns() throws Exception {
        List<String> lines = new ArrayList<>();
        List<String> progress = new ArrayList<>();
        SmallBankBench bench = new SmallBankBench(options(List.of("chm", "hand")), lines::add, progress::add);
        bench.run();
        Path json = folder.resolve("race.json");
        bench.writeJson(json);

        assertTrue(bench.addsUp(), lines.toString());
        assertEquals(
                List.of("round 1 of 2: chm", "round 1 of 2: hand", "round 1 of 2: ford/shm", "round 2 of 2: hand"),
                progress.stream()
                        .filter(line -> line.startsWith("round"))
                        .limit(4)
                        .toList());
        List<Map<String, String>> results = results(json);
        assertEquals(
                List.of("ford/shm", "chm", "hand"),
                results.stream().map(result -> result.get("contender")).toList());
        for (Map<String, String> result : results) {
            assertEquals("smallbank", result.get("workload"));
            assertEquals("2", result.get("threads"));
            assertEquals("true", result.get("moneyAddsUp"));
            for (String figure : List.of("commitsPerSecond", "p50Micros", "p99Micros", "oursToIts"))
                assertTrue(Double.parseDouble(result.get(figure)) > 0, figure + " of " + result);
            for (String figure : List.of("abortsPerSecond", "roundTripsPerTransaction", "bytesAllocatedPerTransaction"))
                assertTrue(Double.parseDouble(result.get(figure)) >= 0, figure + " of " + result);
        }
    }

    /** A store that loses one update in a thousand is found out by its money; one that loses two that cancel, by counts. */
    @Test
    void aLostUpdateIsNoticed() {
        for (Kind lost : List.of(Kind.DEPOSIT_CHECKING, Kind.SEND_PAYMENT)) {
            Standing standing = new Standing(Contender.ofPeer("chm"), "", CUSTOMERS);
            try (Bank bank = new ForgetfulBank(new BankOptions("chm", folder, CUSTOMERS, 2), lost);
                    Race race = new Race(bank, 2, CUSTOMERS, 5)) {
                standing.add(race.round(1, 100_000_000));
                standing.audited(bank.totals());
            }
            assertFalse(standing.addsUp(), "lost: " + lost);
            assertTrue(standing.discrepancy().startsWith("chm: the accounts hold "), standing.discrepancy());
        }
    }

    @Test
    void theRequestsAreThoseOfSmallBank() {
        Requests requests = new Requests(1, 1, 0, CUSTOMERS);
        int[] kinds = new int[Kind.values().length];
        int hot = 0;
        for (int i = 0; i < Requests.COUNT; i++) {
            long request = requests.get(i);
            kinds[Requests.kind(request).ordinal()]++;
            if (Requests.a(request) < CUSTOMERS / 25) hot++;
            assertTrue(Requests.a(request) != Requests.b(request) && Requests.b(request) < CUSTOMERS);
        }

        int[] shares = {15, 15, 15, 25, 15, 15};
        for (int i = 0; i < shares.length; i++)
            assertEquals(
                    shares[i],
                    100.0 * kinds[i] / Requests.COUNT,
                    0.5,
                    Kind.of(i).name());
        assertEquals(90 + 10 * 0.04, 100.0 * hot / Requests.COUNT, 0.5);
    }

    /** Contenders are compared on the same work; threads and rounds are not given the same work twice. */
    @Test
    void theSameSeedGivesTheSameRequests() {
        Requests one = new Requests(1, 1, 0, CUSTOMERS);
        assertEquals(one.get(12345), new Requests(1, 1, 0, CUSTOMERS).get(12345));
        for (Requests other : List.of(
                new Requests(1, 1, 1, CUSTOMERS), new Requests(1, 2, 0, CUSTOMERS), new Requests(2, 1, 0, CUSTOMERS)))
            assertTrue(one.get(0) != other.get(0) || one.get(1) != other.get(1));
    }

    @Test
    void aPeerThatNobodyKnowsIsRefusedWithThoseWeKnow() {
        var refused = assertThrows(IllegalArgumentException.class, () -> Contender.ofPeer("oracle"));
        assertEquals("unknown peer 'oracle'; known: infinispan, rocksdb, chm, hand", refused.getMessage());
    }

    /** A process that fails says why, in the words of the store. */
    @Test
    void aContenderThatCannotBeginIsNamed() {
        SmallBankBench bench = new SmallBankBench(options(List.of("rocksdb")), line -> {}, line -> {});
        var failed = assertThrows(IllegalStateException.class, bench::run);
        assertEquals("rocksdb failed: rocksdb is not on the class path", failed.getMessage());
    }

    @Test
    void aResultTravelsAsALine() {
        RoundResult sent = new RoundResult(5_000, 4, 3, 2, 1, 10, -7, 9, RoundResult.newHistogram());
        sent.latency().recordValue(1234);
        RoundResult received = RoundResult.parse(sent.line());

        assertEquals(sent, received);
        assertEquals(800_000, received.commitsPerSecond());
    }

    private static List<Map<String, String>> results(Path file) throws Exception {
        List<Map<String, String>> results = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            while (json.nextToken() != null) {
                if (!"results".equals(json.currentName()) || json.currentToken() != JsonToken.START_ARRAY) continue;
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    Map<String, String> result = new HashMap<>();
                    while (json.nextToken() != JsonToken.END_OBJECT) {
                        String field = json.currentName();
                        if (json.nextToken() == JsonToken.START_ARRAY) json.skipChildren();
                        else result.put(field, json.getText());
                    }
                    results.add(result);
                }
            }
        }
        return results;
    }
}
