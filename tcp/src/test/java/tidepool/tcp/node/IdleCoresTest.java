package tidepool.tcp.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class IdleCoresTest {
    /** A node that fell asleep for every thread that wants to run for a moment would sleep all the time. */
    @Test
    void somethingNewIsBelievedWhenItIsHeardThreeTimes() {
        try (IdleCores cores = new IdleCores()) {
            assertFalse(cores.heard(true));
            assertFalse(cores.heard(true));
            assertTrue(cores.heard(true));
            assertTrue(cores.heard(false));
            assertTrue(cores.heard(false));
            assertTrue(cores.heard(true), "a moment's crowd is forgotten");
            assertTrue(cores.heard(false));
            assertTrue(cores.heard(false));
            assertFalse(cores.heard(false));
        }
    }

    @Test
    void aCrowdIsAskedAboutSoonAndThenLaterAndLater() {
        try (IdleCores cores = new IdleCores()) {
            for (long micros : new long[] {200, 400, 800, 1600, 2000, 2000}) {
                assertFalse(cores.heard(false));
                assertEquals(micros * 1000, cores.pauseNanos());
            }
            for (int i = 0; i < 2; i++) {
                cores.heard(true);
                assertEquals(100_000, cores.pauseNanos(), "something new is asked about once more");
            }
            cores.heard(true);
            assertEquals(2_000_000, cores.pauseNanos());
            for (int i = 0; i < 3; i++) cores.heard(false);
            assertEquals(200_000, cores.pauseNanos(), "the next crowd is a new one");
        }
    }
}
