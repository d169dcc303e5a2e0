package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.bench.race.FakeContender.FakeDriver;

/** The table of rounds shows whether the last of them is as good as the second. */
class RoundTableTest {
    private static RoundResult round(int commits, long nanosEach, long mebibytes) {
        TypeTally type = new TypeTally();
        for (int i = 0; i < commits; i++) type.add(TxnEnd.COMMITTED, new FakeDriver(), nanosEach);
        return new RoundResult(
                        1_000_000_000,
                        List.of(type),
                        new TypeTally(),
                        Map.of(),
                        Map.of(RoundTable.GROWTH, mebibytes),
                        0,
                        List.of(),
                        0)
                .withCpu(commits * nanosEach);
    }

    private static List<String> table(RoundResult... rounds) {
        Standing standing = new Standing(RaceEntry.ours("ford", "mem"), "", List.of("all"));
        for (RoundResult round : rounds) standing.add(round);
        List<String> lines = new ArrayList<>();
        new RoundTable(standing).print(lines::add);
        return lines;
    }

    @Test
    void theLastRoundIsComparedWithTheSecond() {
        List<String> lines = table(round(50, 90_000, 7), round(200, 10_000, 0), round(100, 20_000, 3));
        assertEquals("ford/mem, by round:", lines.get(1));
        assertEquals(
                List.of("1", "50.0", "90.0", "90.0", "90.0", "90", "0", "90.0", "7"),
                List.of(lines.get(3).trim().split(" +", -1)));
        assertEquals("last / second: commits/s 0.500, p50 2.000, p99 2.000, CPU 2.000", lines.getLast());
    }

    @Test
    void twoRoundsAreNotCompared() {
        assertEquals(
                "2",
                table(round(50, 90_000, 7), round(200, 10_000, 0))
                        .getLast()
                        .trim()
                        .substring(0, 1));
    }
}
