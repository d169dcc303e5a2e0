package tidepool.workload.measured.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Randomness;

/** The hot keys decide the results of a skewed benchmark, so the shares are those of the law. */
class ZipfTest {
    private static final int DRAWS = 1_000_000;

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.9, 0.99, 1, 1.2, 2})
    void sharesAreThoseOfTheLaw(double theta) {
        int count = 1000;
        int[] drawn = new int[count];
        Zipf zipf = new Zipf(count, theta);
        Randomness random = new Randomness(7);
        for (int i = 0; i < DRAWS; i++) drawn[(int) zipf.draw(random)]++;

        double all = 0;
        for (int rank = 1; rank <= count; rank++) all += StrictMath.pow(rank, -theta);
        double chiSquare = 0;
        for (int rank = 1; rank <= count; rank++) {
            double expected = DRAWS * StrictMath.pow(rank, -theta) / all;
            chiSquare += (drawn[rank - 1] - expected) * (drawn[rank - 1] - expected) / expected;
        }
        // 999 degrees of freedom: the mean is 999, and six standard deviations are 268.
        assertTrue(chiSquare < 999 + 268, "chi-square " + chiSquare);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 1L << 20, 10_000_000_000L})
    void allLieInside(long count) {
        Zipf zipf = new Zipf(count, 0.99);
        Randomness random = new Randomness(7);
        for (int i = 0; i < 100_000; i++) {
            long drawn = zipf.draw(random);
            assertTrue(drawn >= 0 && drawn < count, "drew " + drawn);
        }
    }

    /** Written down, so that another processor or another library that drew otherwise would be noticed. */
    @Test
    void sequenceIsTheSameEverywhere() {
        Zipf zipf = new Zipf(1 << 20, 0.99);
        Randomness random = new Randomness(7);
        StringBuilder drawn = new StringBuilder();
        for (int i = 0; i < 8; i++) drawn.append(zipf.draw(random)).append(' ');
        assertEquals("496282 100577 40 2806 0 1616 36 11170", drawn.toString().trim());
    }
}
