package tidepool.node.journal;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Complete writes and reads, made of partial ones. */
final class DiskTransfer {
    private DiskTransfer() {}

    static void write(JournalDisk.File file, MemorySegment from, long offset, long length, long at) throws IOException {
        ByteBuffer bytes = from.asSlice(offset, length).asByteBuffer();
        long to = at;
        while (bytes.hasRemaining()) to += file.write(bytes, to);
    }

    /** Returns when the bytes would survive a loss of power. */
    static void writeForced(JournalDisk.File file, MemorySegment from, long length, long at) throws IOException {
        ByteBuffer bytes = from.asSlice(0, length).asByteBuffer();
        long to = at;
        while (bytes.hasRemaining()) to += file.writeForced(bytes, to);
    }

    static void read(JournalDisk.File file, MemorySegment to, long length, long at) throws IOException {
        ByteBuffer bytes = to.asSlice(0, length).asByteBuffer();
        long from = at;
        while (bytes.hasRemaining()) {
            int read = file.read(bytes, from);
            if (read < 0) throw new EOFException("the file became shorter");
            from += read;
        }
    }
}
