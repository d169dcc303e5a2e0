package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.AccessCode;
import tidepool.wire.Frame;

/**
 * The answers of one connection that must not be sent before their tickets are kept. They are stored apart, in the
 * order of their tickets. When its ticket is kept, an answer moves to the end of the {@link Outbox}. Other answers may
 * overtake it.
 */
final class DeferredAnswers {
    /** The treatment of an answer if the disk is full. */
    enum IfFull {
        /** The last verb of the answer is a FLUSH. Only this verb can still be refused. */
        REFUSE_LAST,
        /** Another verb follows the FLUSH, so the answer cannot become a refusal. The connection is cut. */
        CUT,
        /** The frame is no answer, but must not overtake the answers before it. */
        FOLLOW
    }

    private static final int FIELDS = 3;

    private final BufferPool buffers;
    private BufferPool.Block block;
    private int start;
    private int end;
    private long[] ring = new long[8 * FIELDS]; // ticket, bytes, IfFull
    private int first;
    private int count;

    DeferredAnswers(BufferPool buffers) {
        this.buffers = buffers;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** Returns the bytes of memory that the answers use. */
    int heldBytes() {
        return block == null ? 0 : block.size();
    }

    /** Returns the bytes of all answers together. */
    int bytes() {
        return end - start;
    }

    /** Returns the ticket of the last answer. */
    long lastTicket() {
        return ring[at(count - 1)];
    }

    /** Adds a copy of the frame at {@code at}. */
    void add(MemorySegment from, long at, int bytes, long ticket, IfFull ifFull) {
        reserve(bytes);
        MemorySegment.copy(from, at, block.memory, end, bytes);
        end += bytes;
        if ((count + 1) * FIELDS > ring.length) grow();
        int to = at(count++);
        ring[to] = ticket;
        ring[to + 1] = bytes;
        ring[to + 2] = ifFull.ordinal();
    }

    private void reserve(int bytes) {
        if (block != null && end + bytes <= block.size()) return;
        int held = end - start;
        BufferPool.Block to = buffers.take(Math.max(BufferPool.SMALL, 2 * (held + bytes)));
        if (block != null) {
            MemorySegment.copy(block.memory, start, to.memory, 0, held);
            buffers.give(block);
        }
        block = to;
        start = 0;
        end = held;
    }

    private void grow() {
        long[] larger = new long[2 * ring.length];
        for (int i = 0; i < count; i++) System.arraycopy(ring, at(i), larger, i * FIELDS, FIELDS);
        ring = larger;
        first = 0;
    }

    private int at(int index) {
        return (first + index) * FIELDS % ring.length;
    }

    /** Moves the answers up to ticket {@code kept} to the outbox. */
    void release(long kept, Outbox to) {
        while (count > 0 && ring[at(0)] <= kept) leave(to);
    }

    /**
     * Called when the disk is full, so that the tickets are not kept. Refuses the last verb of each answer, its FLUSH,
     * and moves the answers to the outbox. Returns false at an answer whose last verb is another one: it cannot be
     * refused any more.
     */
    boolean refuse(Outbox to) {
        while (count > 0) {
            IfFull ifFull = IfFull.values()[(int) ring[at(0) + 2]];
            if (ifFull == IfFull.CUT) return false;
            if (ifFull == IfFull.REFUSE_LAST) {
                int bytes = (int) ring[at(0) + 1];
                int verbs = (int) (Words.plain(block.memory, start) >>> 48);
                Words.plain(block.memory, start, Frame.head(bytes, Frame.ANSWER, AccessCode.SPACE, verbs - 1));
            }
            leave(to);
        }
        return true;
    }

    private void leave(Outbox to) {
        int bytes = (int) ring[at(0) + 1];
        to.append(block.memory, start, bytes);
        start += bytes;
        first = (first + 1) % (ring.length / FIELDS);
        count--;
        if (count == 0) drop();
    }

    void drop() {
        if (block != null) buffers.give(block);
        block = null;
        start = 0;
        end = 0;
        first = 0;
        count = 0;
    }
}
