package tidepool.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import tidepool.base.Words;
import tidepool.wire.Frame;
import tidepool.wire.Transport;

/**
 * The answers of one connection that were not yet sent. Frames are aligned to words of its block. An answer that must
 * wait for the journal is stored apart ({@link DeferredAnswers}).
 */
final class Outbox {
    /** A client that reads fewer bytes than this within the time limit for slow readers is too slow. */
    private static final int MIN_PROGRESS_BYTES = 64 << 10;

    private final Transport transport;
    private final BufferPool buffers;
    private final int frameLimit;
    private int usual = BufferPool.SMALL;
    private BufferPool.Block block;
    private int sent;
    private int end;
    private long frames;
    private long framesGone;

    private final DeferredAnswers deferred;
    private long heldUntil;
    private DeferredAnswers.IfFull ifFull;

    private boolean stuck;
    private long stuckSinceNanos;
    private long stuckBytesOut;
    private long bytesOut;

    Outbox(Transport transport, BufferPool buffers, int frameLimit) {
        this.transport = transport;
        this.buffers = buffers;
        this.frameLimit = frameLimit;
        this.deferred = new DeferredAnswers(buffers);
    }

    /** Called when the client is authenticated: larger blocks are allowed. */
    void known() {
        usual = BufferPool.USUAL;
    }

    /** Makes space for {@code bytes} bytes after the present frames, at {@link #at} of {@link #memory}. */
    void reserve(int bytes) {
        if (block == null) {
            block = buffers.take(Math.max(bytes, usual));
            return;
        }
        if (end + bytes <= block.size()) return;
        int skip = sent & -Words.BYTES; // so that frames stay aligned to words
        BufferPool.Block to = end - skip + bytes <= block.size() ? block : buffers.take(end - skip + bytes);
        MemorySegment.copy(block.memory, skip, to.memory, 0, end - skip);
        if (to != block) buffers.give(block);
        block = to;
        sent -= skip;
        end -= skip;
    }

    MemorySegment memory() {
        return block.memory;
    }

    int at() {
        return end;
    }

    /** Called when a frame of {@code bytes} bytes was written at {@link #at}. */
    void appended(int bytes) {
        if (ifFull == null) {
            end += bytes;
            frames++;
        } else {
            deferred.add(block.memory, end, bytes, heldUntil, ifFull);
            ifFull = null;
            if (end == 0) sentAll();
        }
    }

    /** Appends a copy of a frame in other memory. */
    void append(MemorySegment from, long at, int bytes) {
        reserve(bytes);
        MemorySegment.copy(from, at, block.memory, end, bytes);
        appended(bytes);
    }

    /** Appends a frame of words. */
    void send(int kind, int status, int sequence, long[] words, int count) {
        int bytes = Frame.HEADER + count * Words.BYTES;
        reserve(bytes);
        header(bytes, kind, status, count, sequence);
        for (int i = 0; i < count; i++)
            Words.plain(block.memory, end + Frame.HEADER + (long) i * Words.BYTES, words[i]);
        appended(bytes);
    }

    /** Appends a frame with text. A text that is too long is cut. */
    void send(int kind, int status, int sequence, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, Math.min(Frame.MAX_VERBS, frameLimit - Frame.HEADER) & -Words.BYTES);
        int bytes = (int) (Frame.HEADER + Frame.padded(length));
        reserve(bytes);
        header(bytes, kind, status, length, sequence);
        if (bytes > Frame.HEADER) Words.plain(block.memory, end + bytes - Words.BYTES, 0);
        MemorySegment.copy(MemorySegment.ofArray(utf8), 0, block.memory, end + Frame.HEADER, length);
        appended(bytes);
    }

    private void header(int bytes, int kind, int status, int count, int sequence) {
        Words.plain(block.memory, end, Frame.head(bytes, kind, status, count));
        Words.plain(block.memory, end + Words.BYTES, Frame.tail(0, sequence));
    }

    // ---- answers that wait for the journal

    /** Defers the frame that is {@link #appended} next until the ticket is kept. */
    void hold(long ticket, DeferredAnswers.IfFull ifItIsFull) {
        heldUntil = ticket;
        ifFull = ifItIsFull;
    }

    /** Appends the refusal of the connection. No answer follows it, so deferred answers leave before it. */
    void refuse(int code, String why) {
        if (!deferred.isEmpty()) hold(deferred.lastTicket(), DeferredAnswers.IfFull.FOLLOW);
        send(Frame.REFUSED, code, 0, why);
    }

    boolean isHolding() {
        return !deferred.isEmpty();
    }

    void release(long kept) {
        deferred.release(kept, this);
    }

    /** Refuses the deferred answers, which will not be kept. Returns false if one of them cannot be refused. */
    boolean refuseHeld() {
        return deferred.refuse(this);
    }

    /** Returns the bytes of memory that answers use. */
    long heldBytes() {
        return deferred.heldBytes() + (block == null ? 0L : block.size());
    }

    boolean wantsFlush() {
        return end != sent || transport.wantsFlush();
    }

    /** Returns the bytes not yet sent. */
    int unsent() {
        return end - sent + deferred.bytes();
    }

    /** Returns the frames appended since the outbox was last empty, and the deferred ones. */
    long unsentFrames() {
        return frames - framesGone + deferred.count();
    }

    /** Sends what the socket takes. Returns true if nothing is left. Notes since when the client reads too slowly. */
    boolean flush(long nowNanos) throws IOException {
        if (block != null) {
            block.bytes.limit(end).position(sent);
            int bytes = end == sent ? 0 : transport.write(block.bytes);
            sent += bytes;
            bytesOut += bytes;
            if (sent == end) sentAll();
        }
        if (transport.wantsFlush()) transport.flush();
        boolean waits = wantsFlush();
        if (waits && (!stuck || bytesOut - stuckBytesOut >= MIN_PROGRESS_BYTES)) {
            stuckSinceNanos = nowNanos;
            stuckBytesOut = bytesOut;
        }
        stuck = waits;
        return !waits && block == null && deferred.isEmpty();
    }

    /** Returns whether the socket did not take all answers; {@link #stuckSinceNanos} is since when. */
    boolean isStuck() {
        return stuck;
    }

    long stuckSinceNanos() {
        return stuckSinceNanos;
    }

    long bytesOut() {
        return bytesOut;
    }

    private void sentAll() {
        if (block != null) buffers.give(block);
        block = null;
        sent = 0;
        end = 0;
        framesGone = frames;
    }

    /** Returns all blocks to the pool. */
    void drop() {
        sentAll();
        deferred.drop();
    }
}
