package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LayoutTableTest {
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    Words.U64.withName("lock"),
                    Words.U32.withName("table"),
                    MemoryLayout.paddingLayout(4),
                    MemoryLayout.structLayout(Words.U64.withName("session"), Words.U64.withName("counter"))
                            .withName("writer"),
                    MemoryLayout.sequenceLayout(3, Words.U64).withName("value"))
            .withName("record");

    @Test
    void everyByteIsInTheTable() {
        String table = LayoutTable.of(
                LAYOUT, Map.of("lock", "0 = free", "writer.counter", "never reused", "value", "words of the value"));

        assertEquals("""
                record, 56 bytes, aligned to 8

                offset   size  field                   meaning
                     0      8  lock                    0 = free
                     8      4  table
                    12      4  (padding)
                    16      8  writer.session
                    24      8  writer.counter          never reused
                    32     24  value[3]                words of the value
                """, table);
    }

    /** If a field is renamed and its meaning is not, the table must not lose the meaning silently. */
    @Test
    void meaningOfAMissingFieldIsRefused() {
        var refused =
                assertThrows(IllegalArgumentException.class, () -> LayoutTable.of(LAYOUT, Map.of("lokc", "0 = free")));

        assertTrue(refused.getMessage().contains("lokc"));
    }
}
