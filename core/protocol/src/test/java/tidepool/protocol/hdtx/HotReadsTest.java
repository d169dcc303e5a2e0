package tidepool.protocol.hdtx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests which objects are remembered because they could not be read. */
class HotReadsTest {
    @Test
    void theLastEightAreRemembered() {
        HotReads hot = new HotReads();
        assertFalse(hot.contains(8));

        for (long pointer = 8; pointer <= 9 * 8; pointer += 8) hot.add(pointer);

        assertFalse(hot.contains(8), "the first of nine is replaced");
        for (long pointer = 2 * 8; pointer <= 9 * 8; pointer += 8) assertTrue(hot.contains(pointer));
        assertFalse(hot.contains(10 * 8), "never added");
        hot.forget();
        assertFalse(hot.contains(9 * 8));
    }
}
