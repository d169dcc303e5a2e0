package tidepool.tcp.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** What an operator can say about spinning; how a node decides by itself is {@code PatienceTest}'s. */
class SpinningTest {
    @Test
    void whatIsToldIsDone() {
        try (Spinning told = new Spinning("7")) {
            assertEquals(7_000, told.nanos(0));
        }
        try (Spinning never = new Spinning("0")) {
            assertEquals(0, never.nanos(0));
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        for (String wrong : new String[] {"-1", "1000001", "often"})
            assertThrows(IllegalArgumentException.class, () -> new Spinning(wrong));
    }
}
