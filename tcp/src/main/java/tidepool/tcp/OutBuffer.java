package tidepool.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import tidepool.base.Words;
import tidepool.tcp.wire.Transport;

/** Frames that were made and not yet sent. Grows to twice what waits in it at most, and is used again. */
final class OutBuffer {
    private static final int FIRST_BYTES = 64 * 1024;
    private static final int MOST_BYTES = 1 << 30;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST_BYTES);
    private MemorySegment memory = MemorySegment.ofBuffer(buffer);
    private int sent;
    private int end;

    /** Where the next word goes. */
    int end() {
        return end;
    }

    boolean isEmpty() {
        return sent == end;
    }

    /** Bytes that the socket has not taken yet. */
    int unsent() {
        return end - sent;
    }

    /** Puts a word where {@link #require} has made room. */
    void word(long value) {
        Words.plain(memory, end, value);
        end += Words.BYTES;
    }

    /** The same for three. */
    void words(long first, long second, long third) {
        Words.plain(memory, end, first);
        Words.plain(memory, end + Words.BYTES, second);
        Words.plain(memory, end + 2 * Words.BYTES, third);
        end += 3 * Words.BYTES;
    }

    /** Puts a word where one was left open. */
    void wordAt(int at, long value) {
        Words.plain(memory, at, value);
    }

    /** Copies bytes from here, with zeros up to a whole word, where room was made. */
    void bytes(MemorySegment source, long from, long length) {
        int padded = (int) (length + 7 & ~7L);
        if (padded != length) Words.plain(memory, end + padded - Words.BYTES, 0);
        MemorySegment.copy(source, from, memory, end, length);
        end += padded;
    }

    /** Makes room; what was put in before keeps its place, unless nothing of it is unsent. */
    void require(int bytes) {
        if (buffer.capacity() - end < bytes) grow(bytes);
    }

    private void grow(int bytes) {
        long capacity = buffer.capacity();
        while (capacity - end < bytes) capacity *= 2;
        if (capacity > MOST_BYTES) throw new IllegalStateException("too much is waiting to be sent: bytes=" + capacity);
        ByteBuffer larger = ByteBuffer.allocateDirect((int) capacity);
        MemorySegment copy = MemorySegment.ofBuffer(larger);
        MemorySegment.copy(memory, 0, copy, 0, end);
        buffer = larger;
        memory = copy;
    }

    /** Sends what the socket takes. True if nothing is left. */
    boolean flush(Transport transport) throws IOException {
        if (transport.wantsFlush()) transport.flush();
        if (sent < end) {
            buffer.limit(end).position(sent);
            sent += transport.write(buffer);
            buffer.clear();
        }
        if (sent < end) {
            if (sent >= end - sent) moveUp();
            return false;
        }
        sent = 0;
        end = 0;
        return !transport.wantsFlush();
    }

    /** What is left is less than what was sent, so that moving it costs less than sending did. Words stay on their grid. */
    private void moveUp() {
        int whole = sent & -Words.BYTES;
        MemorySegment.copy(memory, whole, memory, 0, end - whole);
        end -= whole;
        sent -= whole;
    }
}
