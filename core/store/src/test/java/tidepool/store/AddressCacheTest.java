package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.schema.Schema;

/** A cache may forget an address, but an address that it returns must be the one stored last. */
class AddressCacheTest {
    /** Has room for 40,000 rows. */
    private static final TableLayout TABLE = new TableLayout(1, Schema.parse("t(a:long)"), 4, 1_200, 8, 50, 64);

    /** Returns some slot of the first bucket of the key's chain, or some place elsewhere. */
    private static long place(long key, int which) {
        return which < TABLE.slots()
                ? TABLE.homeSlot(key, which)
                : TABLE.overflowBucket(TABLE.partition(key), which) + (TABLE.slotOffset(which % 8) >>> 3);
    }

    @Test
    void agreesWithAMapUntilItIsFull() {
        Randomness random = new Randomness(7);
        AddressCache cache = new AddressCache(TABLE, 1 << 16);
        Map<Long, Long> model = new HashMap<>();
        for (int i = 0; i < 400_000; i++) {
            long key = random.nextInt(20_000);
            switch (random.nextInt(3)) {
                case 0 -> {
                    long place = place(key, random.nextInt(key < 5_000 ? 16 : TABLE.slots())); // an eighth of the rows
                    cache.put(key, place);
                    model.put(key, place);
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
            AddressCache cache = new AddressCache(TABLE, 1000);
            for (long i = 0; i < 100_000; i++) {
                cache.put(i * step, place(i * step, (int) i % 16));
                assertEquals(place(i * step, (int) i % 16), cache.find(i * step), "step " + step);
            }
            int known = 0;
            for (long i = 0; i < 100_000; i++) {
                long found = cache.find(i * step);
                if (found == Pointer.NOWHERE) continue;
                assertEquals(place(i * step, (int) i % 16), found, "step " + step);
                known++;
            }
            assertTrue(known > 10 && known <= 8 * 1536, "step " + step + " knows " + known);
        }
    }

    /** Pointers to any place other than a slot of the home bucket are returned unchanged, too. */
    @Test
    void takesAnyAddress() {
        AddressCache cache = new AddressCache(TABLE, 1000);
        for (long pointer : new long[] {1, TABLE.home(5), TABLE.home(5) + 1, TABLE.home(6), (1L << 48) - 1}) {
            cache.put(5, pointer);
            assertEquals(pointer, cache.find(5));
        }
        cache.remove(5);
        assertEquals(Pointer.NOWHERE, cache.find(5));
        cache.remove(4);
        assertEquals(Pointer.NOWHERE, cache.find(4));
    }

    /** A coordinator that inserts for hours must not allocate for hours. */
    @Test
    void growsOnceToTheRoomThatAllRowsNeed() {
        assertEquals(40_000, TABLE.rows());
        AddressCache cache = new AddressCache(TABLE, 1 << 20);
        assertEquals(1024 + 1024, cache.places());
        for (long key = 0; key < 512; key++) cache.put(8 * key, place(8 * key, 3));
        assertEquals(1024 + 1024, cache.places());

        cache.put(8 * 512, place(8 * 512, 3));

        assertEquals(131_072 + 16_384, cache.places());
        for (long key = 0; key < 40_000; key++) cache.put(8 * key, place(8 * key, 3));
        assertEquals(131_072 + 16_384, cache.places());
        for (long key = 0; key < 40_000; key++) assertEquals(place(8 * key, 3), cache.find(8 * key));
    }

    /** The bound holds however large the table is. */
    @Test
    void doesNotGrowBeyondItsBound() {
        AddressCache cache = new AddressCache(TABLE, 4096);
        for (long key = 0; key < 100_000; key++) cache.put(8 * key, place(8 * key, 3));

        assertEquals(8192 + 1024, cache.places());
    }
}
