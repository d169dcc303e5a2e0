package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.memory.Atomics;

/** The word of tickets of a lock queue. */
class QueueWordTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(8, 8);

    private int draw(boolean priority) {
        long found = Atomics.maskedFetchAndAdd(memory, 0, QueueWord.draw(priority), QueueWord.TOPS);
        return QueueWord.drawn(found, priority);
    }

    private long word() {
        return Words.plain(memory, 0);
    }

    private void advance(int ticket, boolean priority) {
        Atomics.maskedCompareAndSwap(
                memory,
                0,
                QueueWord.served(ticket, priority),
                QueueWord.servedMask(priority),
                QueueWord.next(word(), ticket, priority),
                QueueWord.nextMask(priority));
    }

    /** The example of the slides: green, blue and yellow are normal, orange comes before blue. */
    @Test
    void priorityComesFirst() {
        int green = draw(false);
        int blue = draw(false);
        draw(false);
        assertTrue(QueueWord.isTurnOf(word(), green, false, 8));
        int orange = draw(true);
        advance(green, false);

        assertTrue(QueueWord.isTurnOf(word(), orange, true, 8));
        assertFalse(QueueWord.isTurnOf(word(), blue, false, 8));
        advance(orange, true);
        assertTrue(QueueWord.isTurnOf(word(), blue, false, 8));
        assertEquals(1, QueueWord.before(word(), blue + 1, false));
    }

    @Test
    void normalOnesArePassedOnlySoOften() {
        int waiting = draw(false);
        for (int passed = 0; passed < 3; passed++) {
            int urgent = draw(true);
            assertTrue(QueueWord.isTurnOf(word(), urgent, true, 3), "passed " + passed);
            advance(urgent, true);
        }
        int urgent = draw(true);
        assertFalse(QueueWord.isTurnOf(word(), urgent, true, 3));
        assertTrue(QueueWord.isTurnOf(word(), waiting, false, 3));
        advance(waiting, false);
        assertEquals(0, QueueWord.passed(word()));
        assertTrue(QueueWord.isTurnOf(word(), urgent, true, 3));
    }

    /** H4: no field carries into the next one, whichever wraps around. */
    @Test
    void fieldsComeRoundAlone() {
        Words.plain(memory, 0, QueueWord.empty(32_767, 16_383));
        int normal = draw(false);
        int urgent = draw(true);
        assertEquals(32_767, normal);
        assertEquals(16_383, urgent);
        assertEquals(1, QueueWord.length(word(), false));
        assertEquals(1, QueueWord.length(word(), true));

        advance(urgent, true);
        advance(normal, false);
        assertEquals(QueueWord.empty(0, 0), word());
    }

    /** A request that was skipped finds that it was passed, and its late step moves nothing. */
    @Test
    void whoWasSkippedMovesNothing() {
        int slow = draw(false);
        int next = draw(false);
        advance(slow, false); // by another waiter, which took it for dead
        long skipped = word();

        assertEquals(-1, QueueWord.before(skipped, slow, false));
        advance(slow, false);
        assertEquals(skipped, word());
        assertTrue(QueueWord.isTurnOf(word(), next, false, 8));
    }

    /**
     * A request that draws a ticket knows the queue after its own ticket without another READ, also where a field wraps
     * around.
     */
    @Test
    void theWordAfterATicketIsKnown() {
        for (int ticket : new int[] {0, 5, 16_383, 32_767})
            for (boolean priority : new boolean[] {false, true}) {
                Words.plain(memory, 0, QueueWord.empty(ticket, ticket & 16_383));
                long found = word();
                draw(priority);
                assertEquals(word(), QueueWord.withNext(found, priority), QueueWord.text(found));
            }
    }

    @Test
    void whatWasServedBetweenTwoLooksIsCounted() {
        Words.plain(memory, 0, QueueWord.empty(32_766, 16_383));
        long earlier = word();
        for (int i = 0; i < 3; i++) advance(draw(false), false);
        for (int i = 0; i < 2; i++) advance(draw(true), true);

        assertEquals(5, QueueWord.servedSince(word(), earlier));
        assertEquals(0, QueueWord.servedSince(word(), word()));
    }
}
