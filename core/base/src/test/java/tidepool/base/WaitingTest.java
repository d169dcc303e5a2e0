package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/**
 * Waits of plain threads. If more threads than cores wait, the thread that they wait for runs only if each yields its
 * core.
 */
class WaitingTest {
    /**
     * A clock that advances by a microsecond at each reading, so that a wait ends whatever it does between two
     * readings.
     */
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

    /** Even a wait that is over at once must yield. Otherwise a waiter that polls would keep its core. */
    @Test
    void theShortestWaitGivesTheCoreAwayOnce() {
        int[] given = new int[1];
        Waiting.yieldFor(1, new LookedAt(), () -> given[0]++);
        assertEquals(1, given[0]);
    }
}
