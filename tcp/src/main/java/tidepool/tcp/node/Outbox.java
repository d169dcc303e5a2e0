package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import tidepool.base.Words;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.Transport;

/**
 * What a node has answered on a connection and not yet sent. Frames stay at whole words of its block. An answer that must
 * wait until what it says is kept lies aside meanwhile ({@link HeldAnswers}).
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

    private final HeldAnswers held;
    private long heldUntil;
    private HeldAnswers.IfFull ifFull;

    private boolean stuck;
    private long stuckSinceNanos;
    private long stuckBytesOut;
    private long bytesOut;

    Outbox(Transport transport, Buffers buffers, int frameLimit) {
        this.transport = transport;
        this.buffers = buffers;
        this.frameLimit = frameLimit;
        this.held = new HeldAnswers(buffers);
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
    }

    MemorySegment memory() {
        return block.memory;
    }

    int at() {
        return end;
    }

    /** A frame of so many bytes lies there now. */
    void appended(int bytes) {
        if (ifFull == null) {
            end += bytes;
            frames++;
        } else {
            held.add(block.memory, end, bytes, heldUntil, ifFull);
            ifFull = null;
            if (end == 0) sentAll();
        }
    }

    /** Appends a frame that lies somewhere else. */
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

    /** The frame that is {@link #appended} next stays until that ticket is kept. */
    void hold(long ticket, HeldAnswers.IfFull ifItIsFull) {
        heldUntil = ticket;
        ifFull = ifItIsFull;
    }

    /** Says that the connection goes no further. Behind it nothing is answered, so what is held goes first. */
    void refuse(int code, String why) {
        if (!held.isEmpty()) hold(held.lastTicket(), HeldAnswers.IfFull.FOLLOW);
        send(Frame.REFUSED, code, 0, why);
    }

    boolean isHolding() {
        return !held.isEmpty();
    }

    void release(long kept) {
        held.release(kept, this);
    }

    /** What is held will not be kept. False if somebody cannot be told so. */
    boolean refuseHeld() {
        return held.refuse(this);
    }

    /** Memory that answers take. */
    long heldBytes() {
        return held.heldBytes() + (block == null ? 0L : block.size());
    }

    boolean wantsFlush() {
        return end != sent || transport.wantsFlush();
    }

    /** Bytes not yet sent. */
    int unsent() {
        return end - sent + held.bytes();
    }

    /** Frames since all was sent last, and those that are held. */
    long unsentFrames() {
        return frames - framesGone + held.count();
    }

    /** Sends what the socket takes; true if nothing is left. Remembers since when answers are not read as they should be. */
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
        if (waits && (!stuck || bytesOut - stuckBytesOut >= LEAST_PROGRESS_BYTES)) {
            stuckSinceNanos = nowNanos;
            stuckBytesOut = bytesOut;
        }
        stuck = waits;
        return !waits && block == null && held.isEmpty();
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

    private void sentAll() {
        if (block != null) buffers.give(block);
        block = null;
        sent = 0;
        end = 0;
        framesGone = frames;
    }

    /** Gives everything back. */
    void drop() {
        sentAll();
        held.drop();
    }
}
