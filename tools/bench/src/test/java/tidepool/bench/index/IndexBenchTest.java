package tidepool.bench.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.Tidepool;
import tidepool.Worker;

/** The measurement of ordered tables counts every insert and every entry. Speed is not checked here. */
class IndexBenchTest {
    private static final int ROWS = 2_000;

    @Test
    void allOrdersAreFilledAndOneIsScanned() {
        List<String> lines = new ArrayList<>();
        new IndexBench(new IndexOptions(List.of("ford", "motor"), "mem", ROWS, 2, 1), lines::add).run();

        String text = String.join("\n", lines);
        for (String protocol : List.of("ford", "motor"))
            for (String what : List.of("random", "ascending", "churning", "1 ", "10 ", "100 ", "1,000 "))
                assertTrue(
                        lines.stream().anyMatch(line -> line.matches(protocol + " +" + what + ".*")),
                        protocol + " " + what + " in " + text);
    }

    @ParameterizedTest
    @EnumSource(KeyOrder.class)
    void everyInsertIsCountedAndHasItsEntry(KeyOrder order) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=16m")) {
            IndexFill fill = new IndexFill(pool, "rows", order, ROWS, 2);
            fill.run();
            TreeShape shape = fill.requireWhole();
            int left = order == KeyOrder.CHURNING ? ROWS / 2 : ROWS;
            assertEquals(left, fill.tally().count());
            assertEquals(left, shape.entries());
            assertEquals(2, shape.levels());
            assertTrue(shape.leaves() >= left / shape.capacity() && shape.fill() > 30 && shape.fill() <= 100);
            assertTrue(fill.usualTrips() >= 3, "trips " + fill.usualTrips());
        }
    }

    /** The check at the end can fail. */
    @Test
    void aRowThatIsGoneIsNoticed() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=16m")) {
            IndexFill fill = new IndexFill(pool, "rows", KeyOrder.ASCENDING, ROWS, 1);
            fill.run();
            try (Worker worker = pool.worker()) {
                worker.transact(txn -> {
                    txn.delete(fill.table(), 17);
                    return txn.execute();
                });
            }
            String told = assertThrows(IllegalStateException.class, fill::requireWhole)
                    .getMessage();
            assertEquals(
                    "an ordered table has not what was inserted: table=rows inserted=2000 rows=1999 entries=1999",
                    told);
        }
    }
}
