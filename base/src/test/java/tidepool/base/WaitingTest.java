package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** More waiting threads than cores keep the thread that they wait for from running, unless each gives its core away. */
class WaitingTest {
    /** Each look at this clock takes a microsecond, so a wait ends whatever it does between two looks. */
    private static final class LookedAt implements Clock {
        private int looks;

        @Override
        public long nowNanos() {
            return 1_000L * looks++;
        }
    }

    @Test
    void aThreadGivesItsCoreAwayBetweenAnyTwoLooksAtTheClock() {
        LookedAt clock = new LookedAt();
        int[] given = new int[1];
        Waiting.yieldFor(10_000, clock, () -> given[0]++);
        assertEquals(11, clock.looks);
        assertEquals(10, given[0]);
    }

    /** A wait that is over at once is one look of a waiter that would keep its core otherwise. */
    @Test
    void theShortestWaitGivesTheCoreAwayOnce() {
        int[] given = new int[1];
        Waiting.yieldFor(1, new LookedAt(), () -> given[0]++);
        assertEquals(1, given[0]);
    }
}
