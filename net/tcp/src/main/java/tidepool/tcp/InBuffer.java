package tidepool.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import tidepool.base.Words;
import tidepool.wire.Frame;
import tidepool.wire.Transport;

/** A buffer of bytes that have arrived, read frame by frame. */
final class InBuffer {
    private static final int FIRST_BYTES = 64 * 1024;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST_BYTES);
    private MemorySegment memory = MemorySegment.ofBuffer(buffer);
    private int start;
    private int end;
    private long head;

    /** Reads what the transport has. Returns the number of bytes, possibly 0; -1 at the end of the connection. */
    int fill(Transport transport) throws IOException {
        if (start == end) {
            start = 0;
            end = 0;
        }
        buffer.limit(buffer.capacity()).position(end);
        int read = transport.read(buffer);
        if (read > 0) end += read;
        return read;
    }

    /** Returns whether the last {@link #fill} may have left bytes in the transport. */
    boolean isFull() {
        return end == buffer.capacity();
    }

    /**
     * Returns the length of the next frame if all of it has arrived; 0 if not; -1 if the bytes cannot be the start of a
     * frame.
     */
    int frame(int limit) {
        if (end - start < Frame.HEADER) return moveUp(Frame.HEADER);
        head = Words.plain(memory, start);
        int bytes = Frame.bytes(head);
        if (bytes < Frame.HEADER || (bytes & 7) != 0 || bytes > limit) return -1;
        return end - start < bytes ? moveUp(bytes) : bytes;
    }

    /** Returns the first word of the frame whose length {@link #frame} has returned. */
    long head() {
        return head;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns the offset at which the frame begins. */
    int start() {
        return start;
    }

    void taken(int bytes) {
        start += bytes;
    }

    /** Makes room for a frame of that many bytes. Returns 0. */
    private int moveUp(int bytes) {
        if (buffer.capacity() - start >= bytes) return 0;
        ByteBuffer target =
                buffer.capacity() >= bytes ? buffer : ByteBuffer.allocateDirect(Integer.highestOneBit(bytes) * 2);
        MemorySegment to = target == buffer ? memory : MemorySegment.ofBuffer(target);
        MemorySegment.copy(memory, start, to, 0, end - start);
        buffer = target;
        memory = to;
        end -= start;
        start = 0;
        return 0;
    }
}
