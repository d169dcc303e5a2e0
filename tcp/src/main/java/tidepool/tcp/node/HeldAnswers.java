package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.Access;
import tidepool.tcp.wire.Frame;

/**
 * Answers of one connection that must not leave before what they say is kept. They lie aside, in the order of their
 * tickets, and come to the end of the {@link Outbox} when their time has come; others overtake them.
 */
final class HeldAnswers {
    /** What becomes of an answer if the disk is full. */
    enum IfFull {
        /** Its last verb is a FLUSH, which alone can still be refused. */
        REFUSE_LAST,
        /** It says what cannot be taken back. */
        CUT,
        /** It is no answer, but must not overtake those before it. */
        FOLLOW
    }

    private static final int FIELDS = 3;

    private final Buffers buffers;
    private Buffers.Block block;
    private int start;
    private int end;
    private long[] ring = new long[8 * FIELDS]; // ticket, bytes, IfFull
    private int first;
    private int count;

    HeldAnswers(Buffers buffers) {
        this.buffers = buffers;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** Memory that they take. */
    int heldBytes() {
        return block == null ? 0 : block.size();
    }

    /** All of them together. */
    int bytes() {
        return end - start;
    }

    /** The ticket for which the last one waits. */
    long lastTicket() {
        return ring[at(count - 1)];
    }

    /** Takes the frame that lies there. */
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
        Buffers.Block to = buffers.take(Math.max(Buffers.SMALL, 2 * (held + bytes)));
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

    /** Those up to that ticket leave. */
    void release(long kept, Outbox to) {
        while (count > 0 && ring[at(0)] <= kept) leave(to);
    }

    /**
     * What is held will not be kept: the last verb of each answer, its FLUSH, is refused, and they leave. False if one is
     * held whose last verb is another one: it cannot be told what it should be told.
     */
    boolean refuse(Outbox to) {
        while (count > 0) {
            IfFull ifFull = IfFull.values()[(int) ring[at(0) + 2]];
            if (ifFull == IfFull.CUT) return false;
            if (ifFull == IfFull.REFUSE_LAST) {
                int bytes = (int) ring[at(0) + 1];
                int verbs = (int) (Words.plain(block.memory, start) >>> 48);
                Words.plain(block.memory, start, Frame.head(bytes, Frame.ANSWER, Access.SPACE, verbs - 1));
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
