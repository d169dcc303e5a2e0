package tidepool.workload.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every wrong byte of a stamped value is seen, whatever its length, and so is another's value. */
class StampedBytesTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(256, 8);

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 17, 23, 40, 100, 128})
    void anyWrongByteIsSeen(int bytes) {
        StampedBytes.write(memory, 8, bytes, 17, 5);

        assertEquals(5, StampedBytes.count(memory, 8, bytes));
        assertTrue(StampedBytes.endsMatch(memory, 8, bytes, 17));
        assertTrue(StampedBytes.isWhole(memory, 8, bytes, 17));
        for (int i = 0; i < bytes; i++) {
            byte right = memory.get(ValueLayout.JAVA_BYTE, 8 + i);
            memory.set(ValueLayout.JAVA_BYTE, 8 + i, (byte) (right ^ 0x40));
            assertFalse(StampedBytes.isWhole(memory, 8, bytes, 17), "byte " + i);
            memory.set(ValueLayout.JAVA_BYTE, 8 + i, right);
        }
    }

    /** A torn read is half of one write and half of the next. */
    @ParameterizedTest
    @ValueSource(ints = {16, 40, 100})
    void tornValueIsSeen(int bytes) {
        MemorySegment next = Arena.ofAuto().allocate(256, 8);
        StampedBytes.write(memory, 0, bytes, 17, 5);
        StampedBytes.write(next, 0, bytes, 17, 6);
        MemorySegment.copy(next, 0, memory, 0, bytes / 2);

        assertFalse(StampedBytes.endsMatch(memory, 0, bytes, 17));
        assertFalse(StampedBytes.isWhole(memory, 0, bytes, 17));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 40, 100})
    void valueOfAnotherOwnerIsSeen(int bytes) {
        StampedBytes.write(memory, 0, bytes, 18, 5);

        assertFalse(StampedBytes.isWhole(memory, 0, bytes, 17));
    }
}
