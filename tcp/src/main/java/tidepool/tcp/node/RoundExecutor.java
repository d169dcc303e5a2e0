package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.Access;
import tidepool.memory.Atomics;
import tidepool.memory.ChainWork;
import tidepool.memory.Handlers;
import tidepool.memory.NodeRegion;
import tidepool.memory.Written;
import tidepool.tcp.wire.Frame;

/**
 * Carries out a round straight from the bytes that arrived and writes the answer straight into those that leave. The
 * frame has passed {@link RoundCheck}. All verbs of a node are carried out by the one thread that calls this, so they need
 * no fences among themselves.
 */
final class RoundExecutor {
    private final NodeCounters counters;
    private final Written told = this::written;
    private final ChainWork chainWork = new ChainWork(told);

    /** Where the next result goes. */
    private long answerAt;

    /** Where what is written is told; null if nothing is kept. */
    private PoolJournal journal;

    /** What must be kept before the answer leaves. */
    private long ticket;

    private boolean flushIsLast;

    RoundExecutor(NodeCounters counters) {
        this.counters = counters;
    }

    /** Returns the bytes of the answer that now lies at {@code to} of {@code answer}. */
    int carryOut(Connection from, MemorySegment frame, long at, int count, long tail, MemorySegment answer, long to) {
        counters.count(NodeCounter.ROUNDS);
        from.rounds++;
        answerAt = to + Frame.HEADER;
        ticket = 0;
        flushIsLast = false;
        int done = 0;
        int status;
        OpenLink link = from.link((int) tail);
        if (link == null || link.isBroken()) {
            counters.count(NodeCounter.ROUNDS_ON_BROKEN_LINKS);
            status = Frame.BROKEN;
        } else {
            status = link.access();
            journal = link.journal();
            long verb = at + Frame.HEADER;
            while (status == Access.GRANTED && done < count) {
                long head = Words.plain(frame, verb);
                int kind = (int) head & 0xff;
                status = verb(from, link, kind, head >>> RoundCheck.HANDLE_SHIFT, frame, verb, answer);
                if (status != Access.GRANTED) break;
                counters.countCode(NodeCounter.VERBS_READ, kind);
                done++;
                verb += bytes(kind, frame, verb);
            }
            from.verbs += done;
            if (status != Access.GRANTED) {
                counters.countCode(NodeCounter.VERBS_REFUSED_BOUNDS, status);
                link.breakDown();
            }
        }
        int bytes = (int) (answerAt - to);
        Words.plain(answer, to, Frame.head(bytes, Frame.ANSWER, status, done));
        Words.plain(answer, to + Words.BYTES, tail);
        return bytes;
    }

    private static long bytes(int kind, MemorySegment frame, long verb) {
        return switch (kind) {
            case 1, 4 -> 24;
            case 2 -> 24 + Frame.padded(Words.plain(frame, verb + RoundCheck.LENGTH));
            case 3, 6 -> 32;
            case 5 -> 48;
            case 8 -> 24 + Frame.padded(Words.plain(frame, verb + RoundCheck.OFFSET));
            default -> 16;
        };
    }

    private int verb(
            Connection from,
            OpenLink link,
            int kind,
            long handle,
            MemorySegment frame,
            long verb,
            MemorySegment answer) {
        if (kind != RoundCheck.READ && !from.mayWrite()) return Access.RIGHT;
        flushIsLast = kind == RoundCheck.FLUSH;
        if (flushIsLast) return flush();
        if (kind == RoundCheck.CALL) return from.mayCall() ? call(link, handle, frame, verb, answer) : Access.RIGHT;
        NodeRegion region = link.region(handle);
        if (region == null) return Access.KEY;
        if (kind != RoundCheck.READ && !takesMore()) return Access.SPACE;
        long offset = Words.plain(frame, verb + RoundCheck.OFFSET);
        if (kind == RoundCheck.CHAIN) return chain(link, region, offset);
        if (kind == RoundCheck.READ)
            return read(from, region, offset, Words.plain(frame, verb + RoundCheck.LENGTH), answer);
        if (kind == RoundCheck.WRITE)
            return write(region, offset, Words.plain(frame, verb + RoundCheck.LENGTH), frame, verb);
        int access = region.range(offset, Words.BYTES);
        if (access != Access.GRANTED) return access;
        MemorySegment memory = region.data();
        long first = Words.plain(frame, verb + 16);
        long found =
                switch (kind) {
                    case 3 -> Words.compareAndSwap(memory, offset, first, Words.plain(frame, verb + 24));
                    case 4 -> Words.fetchAndAdd(memory, offset, first);
                    case 5 ->
                        Atomics.maskedCompareAndSwap(
                                memory,
                                offset,
                                first,
                                Words.plain(frame, verb + 24),
                                Words.plain(frame, verb + 32),
                                Words.plain(frame, verb + 40));
                    default -> Atomics.maskedFetchAndAdd(memory, offset, first, Words.plain(frame, verb + 24));
                };
        if (journal != null) swapped(region, offset, found);
        Words.plain(answer, answerAt, found);
        answerAt += Words.BYTES;
        return Access.GRANTED;
    }

    /** Whether what is written now can be kept. */
    private boolean takesMore() {
        return journal == null || journal.journal().takesMore();
    }

    private void swapped(NodeRegion region, long offset, long found) {
        long now = Words.plain(region.data(), offset);
        if (now != found) journal.written(region, offset, now);
    }

    /** By chained work, or by a handler. */
    private void written(NodeRegion region, long offset, long length) {
        if (journal != null) journal.written(region, offset, region.data(), offset, length);
    }

    private int read(Connection from, NodeRegion region, long offset, long length, MemorySegment answer) {
        int access = region.range(offset, length);
        if (access != Access.GRANTED) return access;
        if (length > from.frameLimit()) return Access.BOUNDS; // no frame could bring it home
        if (length == Words.BYTES) Words.plain(answer, answerAt, Words.plain(region.data(), offset));
        else MemorySegment.copy(region.data(), offset, answer, answerAt, length);
        answerAt += length;
        return Access.GRANTED;
    }

    private int write(NodeRegion region, long offset, long length, MemorySegment frame, long verb) {
        int access = region.range(offset, length);
        if (access != Access.GRANTED) return access;
        long source = verb + RoundCheck.WRITE_BYTES;
        if (length == Words.BYTES) Words.plain(region.data(), offset, Words.plain(frame, source));
        else MemorySegment.copy(frame, source, region.data(), offset, length);
        if (journal != null) journal.written(region, offset, frame, source, length);
        return Access.GRANTED;
    }

    /** Without a journal the pool lives as long as the machine's memory: there is nothing to be made persistent. */
    private int flush() {
        if (journal == null) return Access.GRANTED;
        if (journal.journal().isFull()) return Access.SPACE;
        ticket = journal.journal().ticket();
        return Access.GRANTED;
    }

    /** What must be kept before the last answer leaves; 0 if nothing must. */
    long ticket() {
        return ticket;
    }

    /** Whether the last verb that was carried out is a FLUSH. */
    boolean isFlushLast() {
        return flushIsLast;
    }

    private int call(OpenLink link, long number, MemorySegment frame, long verb, MemorySegment answer) {
        Handlers handlers = link.node().handlers();
        Handlers.Handler handler = handlers.areOn() && number < Handlers.MOST ? handlers.get((int) number) : null;
        if (handler == null) return Access.HANDLER;
        if (!takesMore()) return Access.SPACE;
        long requestBytes = Words.plain(frame, verb + RoundCheck.OFFSET);
        long room = Words.plain(frame, verb + RoundCheck.LENGTH);
        MemorySegment request =
                frame.asSlice(verb + RoundCheck.CALL_BYTES, requestBytes).asReadOnly();
        MemorySegment reply = answer.asSlice(answerAt + Words.BYTES, room);
        reply.fill((byte) 0); // blocks are used again: nobody shall read what another was answered
        int bytes = handler.handle(link.node(), link.session(), request, reply, told);
        Words.plain(answer, answerAt, bytes);
        long padded = Frame.padded(bytes);
        for (long i = answerAt + Words.BYTES + bytes; i < answerAt + Words.BYTES + padded; i++)
            answer.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) 0);
        answerAt += Words.BYTES + padded;
        return Access.GRANTED;
    }

    private int chain(OpenLink link, NodeRegion region, long offset) {
        int access = chainWork.begin(link.node(), link, region, offset);
        if (access != Access.GRANTED) return access;
        while (chainWork.step()) {}
        chainWork.finish();
        return Access.GRANTED;
    }
}
