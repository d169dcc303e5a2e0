package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class TraceRingTest {
    private static final TraceRing.Formatter PLAIN = (text, timeNanos, kind, a, b, c) -> text.append(timeNanos)
            .append(" kind=")
            .append(kind)
            .append(' ')
            .append(a)
            .append(' ')
            .append(b)
            .append(' ')
            .append(c);

    @Test
    void keepsTheLastOnesOldestFirst() {
        TraceRing ring = new TraceRing(4);
        for (int i = 0; i < 6; i++) ring.record(10 * i, i, i + 1, i + 2, i + 3);

        assertEquals("40 kind=4 5 6 7\n50 kind=5 6 7 8\n", ring.dump(2, PLAIN));
        assertEquals(4, ring.dump(100, PLAIN).lines().count());
        assertTrue(ring.dump(100, PLAIN).startsWith("20 "));
        assertEquals(6, ring.count());
    }

    @Test
    void emptyRingDumpsNothing() {
        assertEquals("", new TraceRing(4).dump(3, PLAIN));
        assertThrows(IllegalArgumentException.class, () -> new TraceRing(3));
    }

    /** The hash distinguishes runs by events that the ring has long lost, and by each of the five numbers. */
    @Test
    void hashCoversAllEventsAndAllNumbers() {
        long same = hashAfter(0, 0, 0, 0, 0);

        assertEquals(same, hashAfter(0, 0, 0, 0, 0));
        assertNotEquals(same, hashAfter(1, 0, 0, 0, 0));
        assertNotEquals(same, hashAfter(0, 1, 0, 0, 0));
        assertNotEquals(same, hashAfter(0, 0, 1, 0, 0));
        assertNotEquals(same, hashAfter(0, 0, 0, 1, 0));
        assertNotEquals(same, hashAfter(0, 0, 0, 0, 1));
    }

    private static long hashAfter(long timeNanos, long kind, long a, long b, long c) {
        TraceRing ring = new TraceRing(2);
        ring.record(timeNanos, kind, a, b, c);
        for (int i = 0; i < 10; i++) ring.record(i, 0, 0, 0, 0);
        return ring.hash();
    }

    @Test
    void recordingAllocatesNothing() {
        TraceRing ring = new TraceRing(1024);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100_000; i++) ring.record(i, 1, 2, 3, 4);

        assertTrue(threads.getCurrentThreadAllocatedBytes() - before < 10_000);
    }
}
