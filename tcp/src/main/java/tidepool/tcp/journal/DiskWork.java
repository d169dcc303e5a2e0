package tidepool.tcp.journal;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Whole writes and reads out of those that do some of it. */
final class DiskWork {
    private DiskWork() {}

    static void write(JournalDisk.File file, MemorySegment from, long offset, long length, long at) throws IOException {
        ByteBuffer bytes = from.asSlice(offset, length).asByteBuffer();
        long to = at;
        while (bytes.hasRemaining()) to += file.write(bytes, to);
    }

    /** Returns when the bytes would outlast a loss of power. */
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
