package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.base.Words;

/** A body proves that it is one writer's whole image. */
class ObjectLayoutTest {
    private static final long CONTENT = 128;
    private static final long BODY_BYTES = ObjectLayout.bodyBytes(CONTENT);

    private final MemorySegment memory = Arena.ofAuto().allocate(BODY_BYTES, 8);

    @Test
    void zeroedMemoryIsWholeAndHoldsNothing() {
        assertTrue(ObjectLayout.isWhole(memory, 0, BODY_BYTES));
        assertFalse(ObjectLayout.holds(memory, 0, 0));
    }

    @Test
    void sealedBodyIsWholeAndHoldsItsKey() {
        seal(memory, 9, 5);

        assertTrue(ObjectLayout.isWhole(memory, 0, BODY_BYTES));
        assertTrue(ObjectLayout.holds(memory, 0, 9));
        assertFalse(ObjectLayout.holds(memory, 0, 8));
    }

    /** Any mixture of two images, word by word, is refused unless it is one of them. */
    @Test
    void everyMixtureOfTwoImagesIsRefused() {
        MemorySegment old = Arena.ofAuto().allocate(BODY_BYTES, 8);
        MemorySegment mixed = Arena.ofAuto().allocate(BODY_BYTES, 8);
        Randomness random = new Randomness(3);
        int words = (int) (BODY_BYTES / Words.BYTES);
        for (int i = 0; i < 20_000; i++) {
            if (i % 2 == 0) fill(old, random, 11);
            else old.fill((byte) 0); // the first image, over memory that was never written
            fill(memory, random, 12);
            int changed = 0;
            int taken = 0;
            for (int w = 0; w < words; w++) {
                boolean fresh = random.nextBoolean();
                if (Words.plain(old, w * 8L) != Words.plain(memory, w * 8L)) {
                    changed++;
                    if (fresh) taken++;
                }
                Words.plain(mixed, w * 8L, Words.plain(fresh ? memory : old, w * 8L));
            }
            boolean oneOfThem = taken == 0 || taken == changed;
            assertEquals(oneOfThem, ObjectLayout.isWhole(mixed, 0, BODY_BYTES), "step " + i);
        }
    }

    private static void fill(MemorySegment body, Randomness random, long writer) {
        for (long at = 0; at < CONTENT; at += Words.BYTES)
            Words.plain(body, ObjectLayout.BODY_CONTENT + at, random.nextLong());
        seal(body, 9, writer);
    }

    private static void seal(MemorySegment body, long key, long writer) {
        ObjectLayout.seal(body, 0, BODY_BYTES, key, ObjectLayout.flags(1, true), writer);
    }
}
