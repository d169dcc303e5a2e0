package tidepool.workload.measured.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

/** The properties of the other draws. */
class DrawTest {
    private final Randomness random = new Randomness(7);

    @Test
    void mixKeepsItsShares() {
        Mix mix = new Mix(15, 0, 85);
        int[] drawn = new int[3];
        for (int i = 0; i < 100_000; i++) drawn[mix.draw(random)]++;

        assertEquals(15_000, drawn[0], 500);
        assertEquals(0, drawn[1]);
        assertThrows(IllegalArgumentException.class, () -> new Mix(50, 49));
        assertThrows(IllegalArgumentException.class, () -> new Mix(50, 51));
    }

    /** Bits of the mask are set in three of four draws where it has them, and in one of two elsewhere. */
    @Test
    void nonUniformSetsTheBitsOfItsMask() {
        NonUniform draw = new NonUniform(255, 0, 65_535, 0);
        int low = 0;
        int high = 0;
        for (int i = 0; i < 100_000; i++) {
            long drawn = draw.draw(random);
            assertTrue(drawn >= 0 && drawn <= 65_535);
            if ((drawn & 1) != 0) low++;
            if ((drawn & 1 << 15) != 0) high++;
        }
        assertEquals(75_000, low, 1000);
        assertEquals(50_000, high, 1000);
    }

    @Test
    void nonUniformStaysInside() {
        NonUniform draw = new NonUniform(1023, 1, 3000, 259);
        for (int i = 0; i < 100_000; i++) {
            long drawn = draw.draw(random);
            assertTrue(drawn >= 1 && drawn <= 3000, "drew " + drawn);
        }
    }

    /** Neighbours in rank are no neighbours in number, and the hottest is as hot as before. */
    @Test
    void scrambledKeepsTheShareOfTheHottest() {
        Scrambled draw = new Scrambled(Draw.zipf(1000, 0.99), 1000);
        int[] drawn = new int[1000];
        for (int i = 0; i < 100_000; i++) drawn[(int) draw.draw(random)]++;
        int hottest = 0;
        for (int i = 0; i < 1000; i++) if (drawn[i] > drawn[hottest]) hottest = i;

        assertTrue(hottest != 0 && drawn[hottest] >= 100_000 / 8, hottest + " drawn " + drawn[hottest]);
    }
}
