package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.memory.ExtentImage.Held;

/** Crashes after every word that the extent map writes: repair makes the map consistent again. */
class ExtentCrashTest {
    private static final long GRANULE = ExtentImage.GRANULE;

    /** A word that was written to the map. */
    private record Written(long granule, long word) {}

    /** A map that records every word in order, and checks that a HEAD is written only over zeroed memory. */
    private static final class Recorded extends ExtentMap {
        final List<Written> written = new ArrayList<>();
        private final ExtentImage image;

        Recorded(ExtentImage image) {
            super(image.whole());
            this.image = image;
        }

        @Override
        void write(long index, long word) {
            if (word < 0) assertTrue(image.isZero(index, word & (1L << 39) - 1), "published before it was zeroed");
            written.add(new Written(index, word));
            super.write(index, word);
        }
    }

    /** A map that dies before it writes the given word. */
    private static final class Mortal extends ExtentMap {
        private int wordsLeft;

        Mortal(ExtentImage image, int wordsLeft) {
            super(image.whole());
            this.wordsLeft = wordsLeft;
        }

        @Override
        void write(long index, long word) {
            if (wordsLeft-- == 0) throw new Crash();
            super.write(index, word);
        }
    }

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Two extents that must survive all events between and around them: granules 2 and 3, and 8. */
    private static ExtentImage populated() {
        ExtentImage image = ExtentImage.withGranules(12);
        ExtentMap map = new ExtentMap(image.whole());
        Extent before = map.allocate(2 * GRANULE, 1);
        map.allocate(2 * GRANULE, 2);
        Extent between = map.allocate(4 * GRANULE, 3);
        map.allocate(GRANULE, 4);
        map.free(before);
        map.free(between);
        image.data().fill((byte) 0xA5);
        return image;
    }

    private static List<Written> wordsOf(ExtentImage image, Consumer<ExtentMap> work) {
        Recorded map = new Recorded(image.copy());
        work.accept(map);
        return map.written;
    }

    /** Writes every prefix of the sequence into a copy, repairs it, and checks the result. */
    private static void crashEverywhere(ExtentImage image, List<Written> words, List<Map<Long, Held>> mayBe) {
        for (int crash = 0; crash <= words.size(); crash++) {
            String when = "crash after " + crash + " words of " + words;
            ExtentImage left = image.copy();
            for (Written w : words.subList(0, crash)) left.word(w.granule(), w.word());
            ExtentMap map = new ExtentMap(left.whole());
            map.repair();

            TreeMap<Long, Held> after = left.whole(when);
            assertTrue(mayBe.contains(after), when + ": " + after);
            left.assertHolds(after, when);
            assertEquals(0, map.repair(), when + ": a second repair finds nothing");
        }
    }

    @Test
    void crashWhileAllocatingLeavesTheExtentOrNothing() {
        ExtentImage image = populated();
        Map<Long, Held> before = image.whole("before");
        TreeMap<Long, Held> after = new TreeMap<>(before);
        after.put(4L, new Held(5, 3));

        List<Written> words = wordsOf(
                image,
                map -> assertEquals(4 * GRANULE, map.allocate(3 * GRANULE, 5).offset()));

        crashEverywhere(image, words, List.of(before, after));
    }

    @Test
    void crashWhileFreeingLeavesTheExtentOrNothing() {
        ExtentImage image = populated();
        new ExtentMap(image.whole()).allocate(4 * GRANULE, 5);
        TreeMap<Long, Held> before = image.whole("before");
        TreeMap<Long, Held> after = new TreeMap<>(before);
        after.remove(4L);

        List<Written> words = wordsOf(image, map -> assertTrue(map.free(new Extent(4 * GRANULE, 4 * GRANULE))));

        crashEverywhere(image, words, List.of(before, after));
    }

    /** The repairing session may die as well; the next one finishes. */
    @Test
    void crashWhileRepairingIsRepaired() {
        ExtentImage image = populated();
        Map<Long, Held> before = image.whole("before");
        for (int d = 1; d < 4; d++) image.word(4 + d, 1L << 62 | d);

        List<Written> words = wordsOf(image, map -> assertEquals(3, map.repair()));

        crashEverywhere(image, words, List.of(before));
    }

    /**
     * Shows that the test can fail: with the HEAD first in an allocation, or last in a free, some crash is not
     * repaired.
     */
    @Test
    void wrongOrderOfWordsIsNoticed() {
        ExtentImage image = populated();
        Map<Long, Held> before = image.whole("before");
        TreeMap<Long, Held> after = new TreeMap<>(before);
        after.put(4L, new Held(5, 3));
        List<Written> words = wordsOf(image, map -> map.allocate(3 * GRANULE, 5));
        Collections.reverse(words);

        assertThrows(AssertionError.class, () -> crashEverywhere(image, words, List.of(before, after)));

        ExtentImage full = image.copy();
        new ExtentMap(full.whole()).allocate(3 * GRANULE, 5);
        List<Written> freeing = wordsOf(full, map -> map.free(new Extent(4 * GRANULE, 3 * GRANULE)));
        Collections.reverse(freeing);
        assertThrows(AssertionError.class, () -> crashEverywhere(full, freeing, List.of(before, after)));
    }

    /** Crashes at random words, again and again: no allocated extent is ever lost or allocated twice. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void livesThatEndInCrashesLoseNothing(long seed) {
        Random random = new Random(seed);
        ExtentImage image = ExtentImage.withGranules(60);
        TreeMap<Long, Held> model = new TreeMap<>();
        int crashes = 0;
        for (int life = 0; life < 2000; life++) {
            String when = "seed=" + seed + " life=" + life;
            new ExtentMap(image.whole()).repair();
            image.assertHolds(model, when);
            ExtentMap map = new Mortal(image, random.nextInt(30));
            try {
                while (true) oneChange(random, map, model);
            } catch (Crash e) {
                crashes++;
            }
            // An interrupted change may or may not have happened; only its extent may differ.
            new ExtentMap(image.whole()).repair();
            TreeMap<Long, Held> left = image.whole(when);
            List<Long> differ = new ArrayList<>();
            for (long i = 0; i < image.granules(); i++) if (!Objects.equals(left.get(i), model.get(i))) differ.add(i);
            assertTrue(differ.size() <= 1, when + ": " + differ);
            model = left;
        }
        assertEquals(2000, crashes);
    }

    private static void oneChange(Random random, ExtentMap map, TreeMap<Long, Held> model) {
        if (random.nextBoolean()) {
            int session = 1 + random.nextInt(4);
            Extent extent = map.allocate(1 + random.nextLong(6 * GRANULE), session);
            if (extent != null) model.put(extent.offset() / GRANULE, new Held(session, extent.bytes() / GRANULE));
        } else if (!model.isEmpty()) {
            List<Long> firsts = new ArrayList<>(model.keySet());
            long first = firsts.get(random.nextInt(firsts.size()));
            assertTrue(map.free(new Extent(first * GRANULE, model.get(first).granules() * GRANULE)));
            model.remove(first);
        }
    }
}
