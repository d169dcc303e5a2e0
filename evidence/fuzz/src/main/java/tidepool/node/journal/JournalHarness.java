package tidepool.node.journal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.base.Id128;
import tidepool.base.Words;

/** A folder with a journal whose last file consists of given bytes, and its recovery. */
public final class JournalHarness {
    private static final Id128 NODE = new Id128(3, 5);

    private final Memory disk = new Memory();

    /** Makes a harness for any number of inputs. */
    public JournalHarness() {
        try {
            NodeIdentity.write(disk, NODE);
            NodeIdentity.settle(disk, NODE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Recovers, or throws a {@link JournalException} with the reason.
     *
     * @param checkpoint whether the bytes are those of a checkpoint; otherwise of a segment
     * @param sealed whether they are entries, and a block is made for them; otherwise they follow a file's header as
     *     they are
     * @param raw whether there is no header either
     */
    public void recover(boolean checkpoint, boolean sealed, boolean raw, byte[] bytes) {
        try {
            for (String name : disk.list()) if (name.length() > 10) disk.delete(name);
            FileHeader header = new FileHeader(
                    checkpoint ? JournalLayout.CHECKPOINT_MAGIC : JournalLayout.SEGMENT_MAGIC, NODE, 1, 1, 0, 1);
            JournalDisk.File file =
                    disk.create(checkpoint ? JournalFileNames.checkpoint(1) : JournalFileNames.segment(1));
            long at = raw ? 0 : JournalLayout.FILE_BYTES;
            if (!raw) header.write(file);
            byte[] content = sealed ? block(bytes, header.seed()) : bytes;
            file.write(ByteBuffer.wrap(content), at);
            if (checkpoint)
                new FileHeader(JournalLayout.SEGMENT_MAGIC, NODE, 1, 1, 0, 1)
                        .write(disk.create(JournalFileNames.segment(1)));
            JournalRecovery.read(disk, new Bounds());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] block(byte[] entries, long seed) {
        try (Arena arena = Arena.ofConfined()) {
            long bytes = JournalLayout.BLOCK_BYTES + JournalEntry.padded(entries.length);
            MemorySegment memory = arena.allocate(bytes, Words.BYTES);
            memory.set(Words.U32, JournalLayout.BLOCK_MAGIC_AT, JournalLayout.BLOCK_MAGIC);
            memory.set(Words.U32, JournalLayout.BLOCK_LENGTH, (int) bytes);
            Words.plain(memory, JournalLayout.BLOCK_SEQUENCE, 1);
            MemorySegment.copy(MemorySegment.ofArray(entries), 0, memory, JournalLayout.BLOCK_BYTES, entries.length);
            Words.plain(memory, JournalLayout.BLOCK_CHECKSUM, JournalLayout.checksum(memory, 0, bytes, seed));
            return memory.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Knows the lengths of regions and reads every range that it is given, so that a range outside is found. */
    private static final class Bounds implements EntryVisitor {
        private final Map<Integer, Long> sizes = new HashMap<>();

        @Override
        public boolean pool(int pool, String name, Id128 id, int number, int nodes) {
            sizes.put(pool << 16 | JournalEntry.META, 1L << 20);
            return true;
        }

        @Override
        public boolean create(int pool, int region, long bytes) {
            if (bytes <= 0 || bytes > 1 << 20) return false;
            sizes.put(pool << 16 | region, bytes);
            return true;
        }

        @Override
        public boolean delete(int pool, int region) {
            return sizes.remove(pool << 16 | region) != null;
        }

        @Override
        public boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
            from.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
            return zero(pool, region, offset, length);
        }

        @Override
        public boolean zero(int pool, int region, long offset, long length) {
            Long size = sizes.get(pool << 16 | region);
            return size != null && offset >= 0 && length >= 0 && length <= size && offset <= size - length;
        }
    }

    /** Files in memory. */
    private static final class Memory implements JournalDisk {
        private final Map<String, Bytes> files = new HashMap<>();

        @Override
        public List<String> list() {
            return List.copyOf(files.keySet());
        }

        @Override
        public File create(String name) {
            Bytes file = new Bytes();
            files.put(name, file);
            return file;
        }

        @Override
        public File open(String name) throws IOException {
            Bytes file = files.get(name);
            if (file == null) throw new FileNotFoundException(name);
            return file;
        }

        @Override
        public void rename(String from, String to) {
            files.put(to, files.remove(from));
        }

        @Override
        public void delete(String name) {
            files.remove(name);
        }

        @Override
        public void forceNames() {
            // Files in memory need no sync.
        }

        @Override
        public long stamp(String name) {
            return 1;
        }

        @Override
        public String path(String name) {
            return name;
        }
    }

    /** A file in memory. */
    private static final class Bytes implements JournalDisk.File {
        private byte[] bytes = {};

        @Override
        public int write(ByteBuffer from, long at) {
            int length = from.remaining();
            int end = (int) at + length;
            if (end > bytes.length) bytes = java.util.Arrays.copyOf(bytes, end);
            from.get(bytes, (int) at, length);
            return length;
        }

        @Override
        public int writeForced(ByteBuffer from, long at) {
            return write(from, at);
        }

        @Override
        public int read(ByteBuffer to, long at) {
            int length = Math.min(to.remaining(), bytes.length - (int) at);
            if (length <= 0) return -1;
            to.put(bytes, (int) at, length);
            return length;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void force() {
            // Files in memory need no sync.
        }

        @Override
        public void truncate(long size) {
            bytes = java.util.Arrays.copyOf(bytes, (int) size);
        }

        @Override
        public void close() {
            // There is nothing to free.
        }
    }
}
