package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    void forgetsTheOldWhenItIsFullAndNeverLies() {
        AddressCache cache = new AddressCache(1000);
        for (long key = 0; key < 100_000; key++) {
            cache.put(key, key * 8 + 1);
            assertEquals(key * 8 + 1, cache.find(key));
        }
        for (long key = 0; key < 100_000; key++) {
            long found = cache.find(key);
            if (found != Pointer.NOWHERE) assertEquals(key * 8 + 1, found);
        }
    }
}
