package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdsTest {
    @Test
    void hexTextKeepsAllBits() {
        Id128 id = new Id128(0x0123456789abcdefL, -2);

        assertEquals("0123456789abcdeffffffffffffffffe", id.hex());
        assertEquals(id, Id128.fromHex(id.hex()));
        assertThrows(IllegalArgumentException.class, () -> Id128.fromHex("12"));
        assertThrows(IllegalArgumentException.class, () -> Id128.fromHex("x".repeat(32)));
    }

    /** Ids are capabilities; a log line must not reveal one. */
    @Test
    void textForLogsIsNotTheSecret() {
        Id128 id = new Id128(0x0123456789abcdefL, 77);

        assertEquals("0123…", id.toString());
        assertFalse(("id=" + id).contains(id.hex()));
    }

    @Test
    void everyBitCountsForEquality() {
        Id128 id = new Id128(5, 6);
        for (int bit = 0; bit < 64; bit++) {
            assertNotEquals(id, new Id128(5 ^ 1L << bit, 6));
            assertNotEquals(id, new Id128(5, 6 ^ 1L << bit));
        }
        assertEquals(id.hashCode(), new Id128(5, 6).hashCode());
    }

    @Test
    void seededIdsRepeatAndSecureOnesDoNot() {
        assertEquals(
                Ids.seeded(new Randomness(1)).next(),
                Ids.seeded(new Randomness(1)).next());
        assertNotEquals(Ids.secure().next(), Ids.secure().next());
        Set<Id128> seen = new HashSet<>();
        Ids seeded = Ids.seeded(new Randomness(1));
        for (int i = 0; i < 1_000; i++) seen.add(seeded.next());
        assertEquals(1_000, seen.size());
    }
}
