package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import tidepool.base.Words;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.Transport;

/** What a node has answered on a connection and not yet sent. Frames stay at whole words of its block. */
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
    private int frames;

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

    boolean wantsFlush() {
        return end != sent || transport.wantsFlush();
    }

    /** Bytes not yet sent. */
    int unsent() {
        return end - sent;
    }

    /** Frames since all was sent last. */
    int unsentFrames() {
        return frames;
    }

    /** Sends what the socket takes; true if all is gone. Remembers since when answers are not read as they should be. */
    boolean flush(long nowNanos) throws IOException {
        if (block != null) {
            block.bytes.limit(end).position(sent);
            int bytes = transport.write(block.bytes);
            sent += bytes;
            bytesOut += bytes;
            if (sent == end) drop();
        }
        if (transport.wantsFlush()) transport.flush();
        boolean gone = !wantsFlush();
        if (!gone && (!stuck || bytesOut - stuckBytesOut >= LEAST_PROGRESS_BYTES)) {
            stuckSinceNanos = nowNanos;
            stuckBytesOut = bytesOut;
        }
        stuck = !gone;
        return gone;
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
        sent = 0;
        end = 0;
        frames = 0;
    }
}
