package tidepool.tcp.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** What an operator can say about spinning; how a node decides by itself is {@code PatienceTest}'s. */
class IdlingTest {
    @Test
    void whatIsToldIsDone() {
        assertEquals(7_000, Idling.patience("7").nanos(0));
        assertEquals(0, Idling.patience("0").nanos(0));
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        for (String wrong : new String[] {"-1", "1000001", "often"})
            assertThrows(IllegalArgumentException.class, () -> Idling.patience(wrong));
    }
}
