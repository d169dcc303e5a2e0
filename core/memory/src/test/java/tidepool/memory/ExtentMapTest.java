package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.memory.ExtentImage.Held;

class ExtentMapTest {
    private static final long GRANULE = ExtentImage.GRANULE;

    /** After every step of random allocations and frees, the map agrees with a simple model. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 0x5eed, 0x7E57})
    void mapAgreesWithAModel(long seed) {
        Random random = new Random(seed);
        ExtentImage image = ExtentImage.withGranules(1 + random.nextInt(80));
        ExtentMap map = new ExtentMap(image.whole());
        TreeMap<Long, Held> model = new TreeMap<>();

        for (int step = 0; step < 4000; step++) {
            String when = "seed=" + seed + " step=" + step;
            int choice = random.nextInt(100);
            if (choice < 50) allocate(random, image, map, model, when);
            else if (choice < 99) free(random, map, model, when);
            else map = new ExtentMap(image.whole()); // another process opens the same memory
            image.assertHolds(model, when);
        }
    }

    private static void allocate(
            Random random, ExtentImage image, ExtentMap map, TreeMap<Long, Held> model, String when) {
        int session = random.nextInt(5);
        long bytes = 1 + random.nextLong(random.nextInt(8) == 0 ? 40 * GRANULE : 4 * GRANULE);
        long granules = (bytes + GRANULE - 1) / GRANULE;
        long largestFree = map.survey().largestFreeBytes();
        Extent extent = map.allocate(bytes, session);
        if (extent == null) {
            assertTrue(largestFree < bytes, when + ": refused although there was room");
            return;
        }
        assertEquals(granules * GRANULE, extent.bytes(), when);
        long first = extent.offset() / GRANULE;
        assertTrue(image.isZero(first, granules), when + ": not zeroed");
        assertNull(model.put(first, new Held(session, granules)), when + ": given out twice");
        image.data(first, granules).fill((byte) 0xA5);
    }

    private static void free(Random random, ExtentMap map, TreeMap<Long, Held> model, String when) {
        if (model.isEmpty()) return;
        List<Long> firsts = new ArrayList<>(model.keySet());
        long first = firsts.get(random.nextInt(firsts.size()));
        long granules = model.get(first).granules();
        assertFalse(map.free(new Extent(first * GRANULE, granules * GRANULE + GRANULE)), when + ": too long");
        assertFalse(map.free(new Extent(first * GRANULE + GRANULE / 2, granules * GRANULE)), when + ": crooked");
        if (granules > 1) {
            assertFalse(map.free(new Extent(first * GRANULE, (granules - 1) * GRANULE)), when + ": too short");
            assertFalse(map.free(new Extent((first + 1) * GRANULE, (granules - 1) * GRANULE)), when + ": its tail");
        }
        assertTrue(map.free(new Extent(first * GRANULE, granules * GRANULE)), when);
        model.remove(first);
        assertFalse(map.free(new Extent(first * GRANULE, granules * GRANULE)), when + ": twice");
    }

    /** Shows that the checker can fail: it rejects overlapping extents and a BODY with a wrong distance. */
    @Test
    void checkerNoticesADamagedMap() {
        ExtentImage image = ExtentImage.withGranules(8);
        new ExtentMap(image.whole()).allocate(4 * GRANULE, 1);
        image.whole("as written");

        image.word(2, 1L << 63 | 1L << 39 | 2);
        assertThrows(AssertionError.class, () -> image.whole("an extent begins inside another"));
        image.word(2, 1L << 62 | 1);
        assertThrows(AssertionError.class, () -> image.whole("a BODY points to the wrong HEAD"));
        image.word(2, 1L << 62 | 2);
        image.word(5, 1L << 62 | 1);
        assertThrows(AssertionError.class, () -> image.whole("a BODY without HEAD"));
    }

    @Test
    void regionCanBeUsedUpToItsLastGranule() {
        ExtentImage image = ExtentImage.withGranules(10);
        ExtentMap map = new ExtentMap(image.whole());

        for (int i = 0; i < 10; i++) assertNotNull(map.allocate(1, 1));

        assertNull(map.allocate(1, 1));
        assertEquals(new ExtentMap.Survey(10 * GRANULE, 0, 10, 0), map.survey());
    }

    @Test
    void wholeRegionCanBeOneExtent() {
        ExtentImage image = ExtentImage.withGranules(10);
        ExtentMap map = new ExtentMap(image.whole());

        Extent all = map.allocate(10 * GRANULE, 1);

        assertEquals(new Extent(0, 10 * GRANULE), all);
        assertNull(map.allocate(1, 1));
        assertTrue(map.free(all));
        assertNull(map.allocate(10 * GRANULE + 1, 1));
        assertNull(map.allocate(Long.MAX_VALUE, 1));
    }

    /**
     * Half of the memory is free but no two free granules are adjacent: the allocation fails, it does not return a
     * wrong extent.
     */
    @Test
    void fragmentedMemoryIsRefusedUntilNeighboursAreFreed() {
        ExtentImage image = ExtentImage.withGranules(10);
        ExtentMap map = new ExtentMap(image.whole());
        List<Extent> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) all.add(map.allocate(GRANULE, 1));
        for (int i = 0; i < 10; i += 2) map.free(all.get(i));

        assertNull(map.allocate(2 * GRANULE, 2));
        assertEquals(new ExtentMap.Survey(5 * GRANULE, 5 * GRANULE, 5, GRANULE), map.survey());
        map.free(all.get(5));
        assertEquals(new Extent(4 * GRANULE, 3 * GRANULE), map.allocate(3 * GRANULE, 2));
    }

    /** A session number has 23 bits. */
    @Test
    void aSessionNumberThatCannotBeGetsNoExtent() {
        ExtentMap map = new ExtentMap(ExtentImage.withGranules(4).whole());
        map.allocate(1, ExtentMap.POOL);
        map.allocate(1, NodeLayout.SESSION_NUMBERS - 1);

        assertEquals(2, map.survey().extents());
        assertThrows(IllegalArgumentException.class, () -> map.allocate(1, NodeLayout.SESSION_NUMBERS));
        assertThrows(IllegalArgumentException.class, () -> map.allocate(1, -1));
    }

    @Test
    void extentsThatCannotBeAreNotFreed() {
        ExtentMap map = new ExtentMap(ExtentImage.withGranules(4).whole());
        map.allocate(4 * GRANULE, 1);

        for (long offset : new long[] {-GRANULE, 4 * GRANULE, Long.MAX_VALUE & -GRANULE, Long.MIN_VALUE})
            assertFalse(map.free(new Extent(offset, GRANULE)), "offset=" + offset);
        for (long bytes : new long[] {0, -GRANULE, Long.MAX_VALUE, Long.MIN_VALUE})
            assertFalse(map.free(new Extent(0, bytes)), "bytes=" + bytes);
        assertEquals(1, map.survey().extents());
    }

    /** A wrong length in the map must not let a scan run for ever or past the end. */
    @ParameterizedTest
    @ValueSource(longs = {0, 5, (1L << 39) - 1, 1L << 62 | 1})
    void damagedHeadIsNamed(long length) {
        ExtentImage image = ExtentImage.withGranules(6);
        ExtentMap map = new ExtentMap(image.whole());
        image.word(2, 1L << 63 | length);

        for (Runnable use : List.<Runnable>of(
                map::survey,
                map::repair,
                () -> map.allocate(3 * GRANULE, 1),
                () -> map.free(new Extent(2 * GRANULE, GRANULE)))) {
            MemoryNodeException e = assertThrows(MemoryNodeException.class, use::run);
            assertEquals(MemoryNodeException.Reason.CORRUPT, e.reason());
            assertEquals("the extent map is damaged: granule=2", e.getMessage());
        }
    }
}
