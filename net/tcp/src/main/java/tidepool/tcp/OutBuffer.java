package tidepool.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import tidepool.base.Words;
import tidepool.wire.Transport;

/**
 * A buffer of frames that are assembled and not sent yet. It grows to at most twice the size of its contents, and is
 * reused.
 */
final class OutBuffer {
    private static final int FIRST_BYTES = 64 * 1024;
    private static final int MAX_BYTES = 1 << 30;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST_BYTES);
    private MemorySegment memory = MemorySegment.ofBuffer(buffer);
    private int sent;
    private int end;

    /** Returns the offset at which the next word is written. */
    int end() {
        return end;
    }

    boolean isEmpty() {
        return sent == end;
    }

    /** Returns the number of bytes that the socket has not accepted yet. */
    int unsent() {
        return end - sent;
    }

    /** Appends a word. {@link #require} has made room for it. */
    void word(long value) {
        Words.plain(memory, end, value);
        end += Words.BYTES;
    }

    /** Appends three words. {@link #require} has made room for them. */
    void words(long first, long second, long third) {
        Words.plain(memory, end, first);
        Words.plain(memory, end + Words.BYTES, second);
        Words.plain(memory, end + 2 * Words.BYTES, third);
        end += 3 * Words.BYTES;
    }

    /** Sets a word that was written earlier. */
    void wordAt(int at, long value) {
        Words.plain(memory, at, value);
    }

    /** Appends bytes, padded with zeros to a whole word. {@link #require} has made room for them. */
    void bytes(MemorySegment source, long from, long length) {
        int padded = (int) (length + 7 & ~7L);
        if (padded != length) Words.plain(memory, end + padded - Words.BYTES, 0);
        MemorySegment.copy(source, from, memory, end, length);
        end += padded;
    }

    /** Makes room for more bytes. The bytes in the buffer keep their offsets. */
    void require(int bytes) {
        if (buffer.capacity() - end < bytes) grow(bytes);
    }

    private void grow(int bytes) {
        long capacity = buffer.capacity();
        while (capacity - end < bytes) capacity *= 2;
        if (capacity > MAX_BYTES) throw new IllegalStateException("too much is waiting to be sent: bytes=" + capacity);
        ByteBuffer larger = ByteBuffer.allocateDirect((int) capacity);
        MemorySegment copy = MemorySegment.ofBuffer(larger);
        MemorySegment.copy(memory, 0, copy, 0, end);
        buffer = larger;
        memory = copy;
    }

    /** Sends as many bytes as the socket accepts. Returns true if none are left. */
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

    /**
     * Moves the unsent bytes to the front. They are fewer than the sent ones, so moving them costs less than sending
     * did. Words stay aligned.
     */
    private void moveUp() {
        int whole = sent & -Words.BYTES;
        MemorySegment.copy(memory, whole, memory, 0, end - whole);
        end -= whole;
        sent -= whole;
    }
}
