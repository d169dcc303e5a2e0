package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import tidepool.base.Words;
import tidepool.memory.Access;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.Transport;

/**
 * What a node has answered on a connection and not yet sent. Frames stay at whole words of its block. An answer may be
 * held until what it says is kept; those behind it wait too, since answers keep their order.
 */
final class Outbox {
    /** Whoever reads less than this in the time that slow readers have reads too slowly. */
    private static final int LEAST_PROGRESS_BYTES = 64 << 10;

    private final Transport transport;
    private final Buffers buffers;
    private final int frameLimit;
    private int usual = Buffers.SMALL;
    private Buffers.Block block;
    private int sent;
    private int end;
    private long frames;
    private long framesGone;

    /** Where the block begins, counted from the first byte ever answered. */
    private long blockStart;

    private final Holds holds = new Holds();

    private boolean stuck;
    private long stuckSinceNanos;
    private long stuckBytesOut;
    private long bytesOut;

    Outbox(Transport transport, Buffers buffers, int frameLimit) {
        this.transport = transport;
        this.buffers = buffers;
        this.frameLimit = frameLimit;
    }

    /** It is no stranger's any more. */
    void known() {
        usual = Buffers.USUAL;
    }

    /** Makes room for so many bytes behind what is there, at {@link #at} of {@link #memory}. */
    void reserve(int bytes) {
        if (block == null) {
            block = buffers.take(Math.max(bytes, usual));
            return;
        }
        if (end + bytes <= block.size()) return;
        int skip = sent & -Words.BYTES; // so that frames stay at whole words
        Buffers.Block to = end - skip + bytes <= block.size() ? block : buffers.take(end - skip + bytes);
        MemorySegment.copy(block.memory, skip, to.memory, 0, end - skip);
        if (to != block) buffers.give(block);
        block = to;
        sent -= skip;
        end -= skip;
        blockStart += skip;
    }

    MemorySegment memory() {
        return block.memory;
    }

    int at() {
        return end;
    }

    /** A frame of so many bytes lies there now. */
    void appended(int bytes) {
        end += bytes;
        frames++;
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

    /** Appends a frame with text; what is too long is cut. */
    void send(int kind, int status, int sequence, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, Math.min(Frame.MOST_VERBS, frameLimit - Frame.HEADER) & -Words.BYTES);
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

    // ---- answers that wait for the disk

    /** The frame that lies at {@link #at}, and was not yet {@link #appended}, stays until that ticket is kept. */
    void hold(long ticket, boolean refusable) {
        holds.add(blockStart + end, ticket, frames, refusable);
    }

    boolean isHolding() {
        return !holds.isEmpty();
    }

    void release(long kept) {
        holds.release(kept);
    }

    /**
     * What is held will not be kept: the last verb of each answer, its FLUSH, is refused. False if one is held whose last
     * verb is another one: it cannot be told what it should be told.
     */
    boolean refuseHeld() {
        for (; !holds.isEmpty(); holds.removeFirst()) {
            if (!holds.isFirstRefusable()) return false;
            long at = holds.firstStart() - blockStart;
            long head = Words.plain(block.memory, at);
            int bytes = (int) head;
            int count = (int) (head >>> 48);
            Words.plain(block.memory, at, Frame.head(bytes, Frame.ANSWER, Access.SPACE, count - 1));
        }
        return true;
    }

    /** How much of the block may leave. */
    private int sendable() {
        return holds.isEmpty() ? end : (int) (holds.firstStart() - blockStart);
    }

    boolean wantsFlush() {
        return sendable() != sent || transport.wantsFlush();
    }

    /** Bytes not yet sent. */
    int unsent() {
        return end - sent;
    }

    /** Frames since all was sent last that could be. */
    long unsentFrames() {
        return frames - framesGone;
    }

    /**
     * Sends what the socket takes of that which may leave; true if all is gone. Remembers since when answers are not read
     * as they should be.
     */
    boolean flush(long nowNanos) throws IOException {
        if (block != null) {
            int most = sendable();
            block.bytes.limit(most).position(sent);
            int bytes = most == sent ? 0 : transport.write(block.bytes);
            sent += bytes;
            bytesOut += bytes;
            if (sent == end) drop();
            else if (sent == most) framesGone = holds.firstFrames();
        }
        if (transport.wantsFlush()) transport.flush();
        boolean waits = wantsFlush();
        if (waits && (!stuck || bytesOut - stuckBytesOut >= LEAST_PROGRESS_BYTES)) {
            stuckSinceNanos = nowNanos;
            stuckBytesOut = bytesOut;
        }
        stuck = waits;
        return !waits && block == null;
    }

    /** Whether answers wait to be read, and since when. */
    boolean isStuck() {
        return stuck;
    }

    long stuckSinceNanos() {
        return stuckSinceNanos;
    }

    long bytesOut() {
        return bytesOut;
    }

    void drop() {
        if (block != null) buffers.give(block);
        block = null;
        blockStart += end;
        sent = 0;
        end = 0;
        framesGone = frames;
        holds.clear();
    }
}
