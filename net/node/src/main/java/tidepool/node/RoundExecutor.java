package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.AccessCode;
import tidepool.memory.Atomics;
import tidepool.memory.ChainedWorkExecutor;
import tidepool.memory.Handlers;
import tidepool.memory.NodeRegion;
import tidepool.memory.WriteListener;
import tidepool.wire.Frame;
import tidepool.wire.VerbFormat;

/**
 * The executor of rounds. It reads verbs directly from the received bytes and writes the answer directly into the bytes
 * to send. The frame has passed {@link RoundValidator}. One thread executes all verbs of a node, so they need no fences
 * among each other.
 */
final class RoundExecutor {
    private final NodeCounters counters;
    private final WriteListener told = this::written;
    private final ChainedWorkExecutor chainedWork = new ChainedWorkExecutor(told);

    /** The offset of the next result in the answer. */
    private long answerAt;

    /** The recorder of writes; null if the node has no journal. */
    private PoolJournal journal;

    /** The ticket that must be kept before the answer is sent. */
    private long ticket;

    private boolean flushIsLast;

    RoundExecutor(NodeCounters counters) {
        this.counters = counters;
    }

    /** Executes a round. Writes its answer at {@code to} of {@code answer} and returns the answer's bytes. */
    int execute(
            ClientConnection from, MemorySegment frame, long at, int count, long tail, MemorySegment answer, long to) {
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
            while (status == AccessCode.GRANTED && done < count) {
                long head = Words.plain(frame, verb);
                int code = VerbFormat.code(head);
                status = verb(from, link, code, VerbFormat.handle(head), frame, verb, answer);
                if (status != AccessCode.GRANTED) break;
                counters.countCode(NodeCounter.VERBS_READ, code);
                done++;
                verb += VerbFormat.bytes(code, frame, verb);
            }
            from.verbs += done;
            if (status != AccessCode.GRANTED) {
                counters.countCode(NodeCounter.VERBS_REFUSED_BOUNDS, status);
                link.breakDown();
            }
        }
        int bytes = (int) (answerAt - to);
        Words.plain(answer, to, Frame.head(bytes, Frame.ANSWER, status, done));
        Words.plain(answer, to + Words.BYTES, tail);
        return bytes;
    }

    private int verb(
            ClientConnection from,
            OpenLink link,
            int code,
            long handle,
            MemorySegment frame,
            long verb,
            MemorySegment answer) {
        if (code != VerbFormat.READ && !from.mayWrite()) return AccessCode.RIGHT;
        flushIsLast = code == VerbFormat.FLUSH;
        if (flushIsLast) return flush();
        if (code == VerbFormat.CALL) return from.mayCall() ? call(link, handle, frame, verb, answer) : AccessCode.RIGHT;
        NodeRegion region = link.region(handle);
        if (region == null) return AccessCode.KEY;
        if (code != VerbFormat.READ && !hasJournalSpace()) return AccessCode.SPACE;
        long offset = Words.plain(frame, verb + VerbFormat.OFFSET);
        if (code == VerbFormat.CHAIN) return chain(link, region, offset);
        if (code == VerbFormat.READ)
            return read(from, region, offset, Words.plain(frame, verb + VerbFormat.LENGTH), answer);
        if (code == VerbFormat.WRITE)
            return write(region, offset, Words.plain(frame, verb + VerbFormat.LENGTH), frame, verb);
        int access = region.range(offset, Words.BYTES);
        if (access != AccessCode.GRANTED) return access;
        MemorySegment memory = region.data();
        long operand = Words.plain(frame, verb + VerbFormat.OPERAND);
        long found =
                switch (code) {
                    case VerbFormat.CAS ->
                        Words.compareAndSwap(memory, offset, operand, Words.plain(frame, verb + VerbFormat.DESIRED));
                    case VerbFormat.FAA -> Words.fetchAndAdd(memory, offset, operand);
                    case VerbFormat.MASKED_CAS ->
                        Atomics.maskedCompareAndSwap(
                                memory,
                                offset,
                                operand,
                                Words.plain(frame, verb + VerbFormat.COMPARE_MASK),
                                Words.plain(frame, verb + VerbFormat.MASKED_DESIRED),
                                Words.plain(frame, verb + VerbFormat.SWAP_MASK));
                    default -> // MASKED_FAA: the frame was validated
                        Atomics.maskedFetchAndAdd(
                                memory, offset, operand, Words.plain(frame, verb + VerbFormat.FIELD_TOPS));
                };
        if (journal != null) swapped(region, offset, found);
        Words.plain(answer, answerAt, found);
        answerAt += Words.BYTES;
        return AccessCode.GRANTED;
    }

    /** Returns whether the journal has space for another write. */
    private boolean hasJournalSpace() {
        return journal == null || journal.hasJournalSpace();
    }

    private void swapped(NodeRegion region, long offset, long found) {
        long now = Words.plain(region.data(), offset);
        if (now != found) journal.written(region, offset, now);
    }

    /** Called when chained work or a handler has written. */
    private void written(NodeRegion region, long offset, long length) {
        if (journal != null) journal.written(region, offset, region.data(), offset, length);
    }

    private int read(ClientConnection from, NodeRegion region, long offset, long length, MemorySegment answer) {
        int access = region.range(offset, length);
        if (access != AccessCode.GRANTED) return access;
        if (length > from.frameLimit()) return AccessCode.BOUNDS; // no frame could hold the answer
        if (length == Words.BYTES) Words.plain(answer, answerAt, Words.plain(region.data(), offset));
        else MemorySegment.copy(region.data(), offset, answer, answerAt, length);
        answerAt += length;
        return AccessCode.GRANTED;
    }

    private int write(NodeRegion region, long offset, long length, MemorySegment frame, long verb) {
        int access = region.range(offset, length);
        if (access != AccessCode.GRANTED) return access;
        long source = verb + VerbFormat.requestBytes(VerbFormat.WRITE);
        if (length == Words.BYTES) Words.plain(region.data(), offset, Words.plain(frame, source));
        else MemorySegment.copy(frame, source, region.data(), offset, length);
        if (journal != null) journal.written(region, offset, frame, source, length);
        return AccessCode.GRANTED;
    }

    /** Without a journal the pool lives only as long as its memory, and a FLUSH has nothing to do. */
    private int flush() {
        if (journal == null) return AccessCode.GRANTED;
        ticket = journal.flush();
        if (ticket >= 0) return AccessCode.GRANTED;
        ticket = 0;
        return AccessCode.SPACE;
    }

    /** Returns the ticket that must be kept before the last answer is sent; 0 if there is none. */
    long ticket() {
        return ticket;
    }

    /** Returns whether the last verb that was tried is a FLUSH. */
    boolean isFlushLast() {
        return flushIsLast;
    }

    private int call(OpenLink link, long number, MemorySegment frame, long verb, MemorySegment answer) {
        Handlers handlers = link.node().handlers();
        Handlers.Handler handler =
                handlers.areOn() && number < Handlers.MAX_HANDLERS ? handlers.get((int) number) : null;
        if (handler == null) return AccessCode.HANDLER;
        if (!hasJournalSpace()) return AccessCode.SPACE;
        long requestBytes = Words.plain(frame, verb + VerbFormat.REQUEST_LENGTH);
        long room = Words.plain(frame, verb + VerbFormat.REPLY_ROOM);
        MemorySegment request = frame.asSlice(verb + VerbFormat.requestBytes(VerbFormat.CALL), requestBytes)
                .asReadOnly();
        MemorySegment reply = answer.asSlice(answerAt + Words.BYTES, room);
        reply.fill((byte) 0); // blocks are reused: otherwise a client could read another client's answer
        int bytes = handler.handle(link.node(), link.session(), request, reply, told);
        Words.plain(answer, answerAt, bytes);
        long padded = Frame.padded(bytes);
        for (long i = answerAt + Words.BYTES + bytes; i < answerAt + Words.BYTES + padded; i++)
            answer.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) 0);
        answerAt += Words.BYTES + padded;
        return AccessCode.GRANTED;
    }

    private int chain(OpenLink link, NodeRegion region, long offset) {
        int access = chainedWork.begin(link.node(), link, region, offset);
        if (access != AccessCode.GRANTED) return access;
        while (chainedWork.step()) {}
        chainedWork.finish();
        return AccessCode.GRANTED;
    }
}
