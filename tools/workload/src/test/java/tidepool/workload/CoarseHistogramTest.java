package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Percentiles are within a sixteenth of the truth, also after a journey as text. */
class CoarseHistogramTest {
    @Test
    void percentilesAreNearTheTruth() {
        CoarseHistogram histogram = new CoarseHistogram();
        for (int i = 1; i <= 100_000; i++) histogram.add(i);

        CoarseHistogram arrived = CoarseHistogram.parse(histogram.text());

        assertEquals(100_000, arrived.count());
        for (double percent : new double[] {1, 50, 90, 99, 100}) {
            double truth = percent * 1000;
            assertTrue(Math.abs(arrived.percentile(percent) - truth) <= truth / 16, percent + "");
        }
    }

    @Test
    void nothingHasNoPercentile() {
        assertEquals(0, CoarseHistogram.parse(new CoarseHistogram().text()).percentile(50));
    }
}
