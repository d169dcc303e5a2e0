package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

/** A cache may forget, but what it says must be what it was told last. */
class AddressCacheTest {
    @Test
    void agreesWithAMapUntilItIsFull() {
        Randomness random = new Randomness(7);
        AddressCache cache = new AddressCache(1 << 16);
        Map<Long, Long> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            long key = random.nextInt(20_000);
            switch (random.nextInt(3)) {
                case 0 -> {
                    cache.put(key, i + 1);
                    model.put(key, i + 1L);
                }
                case 1 -> {
                    cache.remove(key);
                    model.remove(key);
                }
                default -> assertEquals(model.getOrDefault(key, Pointer.NOWHERE), cache.find(key), "step " + i);
            }
        }
    }

    @Test
    void forgetsWhenItIsFullAndNeverLies() {
        for (long step : new long[] {1, 4, 1L << 32, 0x9e3779b97f4a7c15L}) {
            AddressCache cache = new AddressCache(1000);
            for (long i = 0; i < 100_000; i++) {
                cache.put(i * step, i + 1);
                assertEquals(i + 1, cache.find(i * step), "step " + step);
            }
            int known = 0;
            for (long i = 0; i < 100_000; i++) {
                long found = cache.find(i * step);
                if (found == Pointer.NOWHERE) continue;
                assertEquals(i + 1, found, "step " + step);
                known++;
            }
            assertTrue(known > 10 && known <= 1536, "step " + step + " knows " + known);
        }
    }
}
