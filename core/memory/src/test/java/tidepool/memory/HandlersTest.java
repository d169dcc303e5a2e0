package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;

class HandlersTest {
    private final MemoryNode node = Nodes.node();

    @Test
    void nothingAnswersWhenHandlersAreOff() {
        Handlers off = Handlers.off();

        assertFalse(off.areOn());
        for (int number :
                new int[] {Integer.MIN_VALUE, -1, Handlers.ECHO, Handlers.STATISTICS, 255, 256, Integer.MAX_VALUE})
            assertNull(off.get(number), "number=" + number);
        assertThrows(IllegalArgumentException.class, () -> off.with(5, (n, s, request, reply, listener) -> 0));
    }

    @Test
    void unknownNumbersHaveNoHandler() {
        Handlers handlers = new Handlers();

        assertTrue(handlers.areOn());
        for (int number : new int[] {Integer.MIN_VALUE, -1, 3, 255, 256, Integer.MAX_VALUE})
            assertNull(handlers.get(number), "number=" + number);
    }

    /** A table that nodes already use does not change. */
    @Test
    void addingAHandlerMakesANewTable() {
        Handlers before = new Handlers();
        Handlers.Handler handler = (n, session, request, reply, listener) -> session;

        Handlers after = before.with(3, handler);

        assertNull(before.get(3));
        assertSame(handler, after.get(3));
        assertNotNull(after.get(Handlers.ECHO));
        assertThrows(IllegalArgumentException.class, () -> after.with(3, handler));
        assertThrows(IllegalArgumentException.class, () -> after.with(Handlers.ECHO, handler));
        assertThrows(IllegalArgumentException.class, () -> after.with(Handlers.MAX_HANDLERS, handler));
        assertThrows(IllegalArgumentException.class, () -> after.with(-1, handler));
    }

    @Test
    void echoAnswersWithTheRequestAndCutsWhatDoesNotFit() {
        MemorySegment request = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5});
        MemorySegment large = MemorySegment.ofArray(new byte[8]);
        MemorySegment small = MemorySegment.ofArray(new byte[2]);
        Handlers.Handler echo = node.handlers().get(Handlers.ECHO);

        assertEquals(5, echo.handle(node, 1, request, large, WriteListener.UNTOLD));
        assertEquals(2, echo.handle(node, 1, request, small, WriteListener.UNTOLD));
        assertEquals(0, echo.handle(node, 1, request.asSlice(0, 0), large, WriteListener.UNTOLD));
        assertEquals(0, echo.handle(node, 1, request, small.asSlice(0, 0), WriteListener.UNTOLD));

        assertArrayEquals(
                new byte[] {1, 2, 3, 4, 5, 0, 0, 0}, (byte[]) large.heapBase().orElseThrow());
        assertArrayEquals(new byte[] {1, 2}, (byte[]) small.heapBase().orElseThrow());
    }

    @Test
    void statisticsComeInTheOrderOfTheRecord() {
        Id128 capability = node.createRegion(100_000);
        node.allocate(capability, 5_000, 3);
        node.sessions().attach(3, 1, 1);
        node.sessions().attach(4, 1, 1);
        node.sessions().revoke(5);
        node.raiseEpoch(9);
        MemorySegment reply = Arena.ofAuto().allocate(80, 8);
        Handlers.Handler statistics = node.handlers().get(Handlers.STATISTICS);

        assertEquals(72, statistics.handle(node, 1, reply.asSlice(0, 0), reply, WriteListener.UNTOLD));

        NodeStatistics now = node.statistics();
        long[] expected = {1, now.totalBytes(), 102_400, 8_192, 94_208, 1, 2, 1, 9};
        for (int i = 0; i < expected.length; i++) assertEquals(expected[i], Words.plain(reply, 8L * i), "word " + i);
        assertEquals(16, statistics.handle(node, 1, reply.asSlice(0, 0), reply.asSlice(0, 23), WriteListener.UNTOLD));
        assertEquals(0, statistics.handle(node, 1, reply.asSlice(0, 0), reply.asSlice(0, 7), WriteListener.UNTOLD));
    }
}
