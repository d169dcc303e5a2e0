package tidepool.bench.growth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.store.StoreException;

/** The measurement of growth counts every insert, and notices rows that are gone. Speed is not checked here. */
class GrowthBenchTest {
    private static final int ROWS = 40;
    private static final int FACTOR = 64;
    private static final int THREADS = 2;

    @ParameterizedTest
    @ValueSource(strings = {"ford", "motor", "hdtx"})
    void bothTablesAreFilledAndCompared(String protocol) {
        List<String> lines = new ArrayList<>();
        new GrowthBench(new GrowthOptions(protocol, "mem", ROWS, ROWS * FACTOR, THREADS, 2, 0, false), lines::add)
                .run();

        String text = String.join("\n", lines);
        assertTrue(
                lines.getFirst().startsWith(protocol + "/mem: a table that was made for 40 rows takes 2,560;"), text);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("grows ")), text);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("made large ")), text);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("grows / made large: inserts/s ")), text);
    }

    @Test
    void aTableAloneIsComparedWithNone() {
        List<String> lines = new ArrayList<>();
        new GrowthBench(new GrowthOptions("ford", "mem", ROWS, ROWS * FACTOR, 1, 1, 0, true), lines::add).run();
        assertEquals(
                List.of(true, false, false),
                Stream.of("grows  ", "made large", "grows / made large")
                        .map(begin -> lines.stream().anyMatch(line -> line.startsWith(begin)))
                        .toList(),
                String.join("\n", lines));
    }

    /**
     * Only the table that was made small is split. Every insert is in the tally, and the longest is a pause at least.
     */
    @Test
    void aTableMadeLargeIsNotSplit() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=16m")) {
            FillRun small = new FillRun(pool, "small", ROWS, ROWS * FACTOR, THREADS);
            FillRun large = new FillRun(pool, "large", ROWS * FACTOR, ROWS * FACTOR, THREADS);
            for (FillRun run : List.of(small, large)) {
                run.run();
                run.requireComplete();
                assertEquals(ROWS * FACTOR, run.inserts().count());
                assertTrue(run.inserts().longestPauseMicros() >= run.inserts().longestMicros());
                assertTrue(run.inserts().micros(99) >= run.inserts().micros(50));
                assertTrue(run.inserts().mostTrips() >= run.inserts().tripsOfLongest());
            }
            assertEquals(0, large.splits());
            assertTrue(small.splits() > ROWS, "only " + small.splits() + " splits");
            assertTrue(small.areas() > large.areas());
            assertTrue(small.inserts().mostVerbs() > large.inserts().mostVerbs(), "an insert that made splits");
        }
    }

    @Test
    void aRowThatIsGoneIsNoticed() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=16m")) {
            FillRun run = new FillRun(pool, "rows", ROWS, ROWS * FACTOR, THREADS);
            run.run();
            pool.truncate("rows");
            String message = assertThrows(IllegalStateException.class, run::requireComplete)
                    .getMessage();
            assertEquals(
                    "a table has not the rows that were inserted: table=rows rows=0 not " + ROWS * FACTOR, message);
        }
    }

    /** All threads end, the reader too, if the pool has no memory left. */
    @Test
    void theEndOfMemoryEndsTheRun() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=512k")) {
            FillRun run = new FillRun(pool, "rows", ROWS, 1_000_000, THREADS);
            StoreException full = assertThrows(StoreException.class, run::run);
            assertEquals(StoreException.Reason.FULL, full.reason());
        }
    }
}
