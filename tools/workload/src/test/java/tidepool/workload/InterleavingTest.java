package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Virtual time, so the figures are equal on every machine and can be compared. */
class InterleavingTest {
    @Test
    void oneCoreDoesMoreWithManyCoordinators() {
        List<Interleaving.Row> rows = Interleaving.measure("ford", List.of(1, 2, 8), 400, "cx5");

        double one = rows.get(0).commitsPerSecond();
        assertTrue(rows.get(1).commitsPerSecond() > 1.3 * one, rows.toString());
        assertTrue(rows.get(2).commitsPerSecond() > 2 * one, rows.toString());
        assertEquals(rows, Interleaving.measure("ford", List.of(1, 2, 8), 400, "cx5"));
    }
}
