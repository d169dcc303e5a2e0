package tidepool.workload.measured.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

/** Figures of programs are comparable only if they draw the same requests. */
class SmallBankDrawTest {
    private static final int DRAWN = 20_000;

    @Test
    void aShareOfTheTransactionsChoosesBothCustomersFromTheHotOnes() {
        SmallBankDraw draw = new SmallBankDraw(1_000, 10, 90);
        Randomness random = new Randomness(1);
        int hot = 0;
        for (int i = 0; i < DRAWN; i++) {
            draw.next(random);
            assertNotEquals(draw.first(), draw.second());
            assertTrue(draw.first() >= 0 && draw.first() < 1_000 && draw.second() >= 0 && draw.second() < 1_000);
            if (draw.first() < 10 && draw.second() < 10) hot++;
        }
        assertEquals(0.9, hot / (double) DRAWN, 0.01);
    }

    /** A run is repeated by its seed: these are the first requests that seed 7 has always given. */
    @Test
    void aSeedGivesItsRequests() {
        SmallBankDraw draw = new SmallBankDraw(1_000, 40, 90);
        Randomness random = new Randomness(7);
        Randomness again = new Randomness(7);
        for (int i = 0; i < 1_000; i++) {
            draw.next(random);
            assertEquals(SmallBankType.draw(again), draw.type());
            int range = again.chance(9, 10) ? 40 : 1_000;
            int a = again.nextInt(range);
            assertEquals(a, draw.first());
            assertEquals((a + 1 + again.nextInt(range - 1)) % range, draw.second());
        }
    }

    @Test
    void allAreDrawnIfAllAreHot() {
        SmallBankDraw draw = new SmallBankDraw(2, 2, 0);
        Randomness random = new Randomness(3);
        for (int i = 0; i < 100; i++) {
            draw.next(random);
            assertEquals(1, draw.first() + draw.second());
        }
    }
}
