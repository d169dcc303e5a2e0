package tidepool.tcp.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class IdleCoresTest {
    /** A node that fell asleep for every thread that wants to run for a moment would sleep all the time. */
    @Test
    void somethingNewIsBelievedWhenItIsHeardTwice() {
        try (IdleCores cores = new IdleCores()) {
            assertFalse(cores.heard(true));
            assertTrue(cores.heard(true));
            assertTrue(cores.heard(false));
            assertTrue(cores.heard(true), "a moment's crowd is forgotten");
            assertTrue(cores.heard(false));
            assertFalse(cores.heard(false));
        }
    }
}
