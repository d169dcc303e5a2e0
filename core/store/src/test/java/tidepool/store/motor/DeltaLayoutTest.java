package tidepool.store.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.schema.Attribute;
import tidepool.schema.Schema;

/** The attributes of a value in a delta. */
class DeltaLayoutTest {
    private static final Schema MIXED =
            Schema.parse("mixed(a:byte, b:bytes[13], c:long, d:short, e:bytes[9], f:int, g:byte)");
    private static final long BEFORE = 0;
    private static final long AFTER = 128;
    private static final long DELTA = 256;
    private static final long KEY = 7;

    /**
     * Attributes that share words, that end in the middle of one and that span three, compared with a check of each
     * byte.
     */
    @Test
    void exactlyTheAttributesThatDifferAreFoundAndUndone() {
        Randomness random = new Randomness(3);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(512, 8);
            for (int i = 0; i < 20_000; i++) {
                for (long at = 0; at < MIXED.length(); at++) put(memory, at, (byte) random.nextLong());
                MemorySegment.copy(memory, BEFORE, memory, AFTER, MIXED.length());
                long expected = 0;
                for (int change = 0; change < i % 4; change++) {
                    Attribute a =
                            MIXED.attribute(random.nextInt(MIXED.attributes().size()));
                    long at = AFTER + a.offset() + random.nextInt(a.bytes());
                    put(memory, at, (byte) (get(memory, at) + 1));
                    expected |= 1L << a.number();
                }
                assertEquals(expected, DeltaLayout.changed(MIXED, memory, BEFORE, AFTER));
                DeltaLayout.make(MIXED, memory, DELTA, 5, expected, BEFORE, KEY);
                DeltaLayout.undo(MIXED, memory, DELTA, AFTER);
                long last = MIXED.length();
                assertEquals(-1, MemorySegment.mismatch(memory, BEFORE, BEFORE + last, memory, AFTER, AFTER + last));
            }
        }
    }

    /** The maximum of 64 attributes, and bits of a landed bitmap that stand for none. */
    @Test
    void theSizeOfADeltaIsThatOfItsAttributes() {
        StringBuilder text = new StringBuilder("wide(");
        for (int i = 0; i < 64; i++)
            text.append(i == 0 ? "" : ", ").append('a').append(i).append(":short");
        Schema wide = Schema.parse(text.append(')').toString());
        assertEquals(24 + 128, DeltaLayout.bytes(wide, -1L));
        assertEquals(24 + 8, DeltaLayout.bytes(wide, 1L << 63));
        assertEquals(24, DeltaLayout.bytes(wide, 0));
        assertEquals(24 + 40, DeltaLayout.bytes(MIXED, -1L));
        assertEquals(24, DeltaLayout.bytes(MIXED, -1L << 7));
    }

    private static byte get(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_BYTE, at);
    }

    private static void put(MemorySegment memory, long at, byte value) {
        memory.set(ValueLayout.JAVA_BYTE, at, value);
    }
}
