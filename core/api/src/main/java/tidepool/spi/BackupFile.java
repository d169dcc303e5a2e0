package tidepool.spi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import tidepool.backup.BackupException;
import tidepool.base.Checksum64;
import tidepool.base.OwnerOnly;
import tidepool.base.Words;

/**
 * The file of a backup. Each part proves its content by a checksum, and the last piece proves that none is missing. The
 * file appears under its name only when it is whole and on the disk.
 *
 * <pre>
 *     0          8         16       24          32
 *     +----------+---------+--------+-----------+---------------------------+
 *     | TIDESNAP | version | length | checksum  | description, to a whole   |   see {@link BackupManifest}
 *     |          |         |        |           | word                      |
 *     +----------+---------+--------+-----------+---------------------------+
 *     then pieces:
 *     +----------+---------+--------+-----------+---------------------------+
 *     | kind     | offset  | length | checksum  | bytes                     |
 *     +----------+---------+--------+-----------+---------------------------+
 *
 *     kind: a partition; TABLES; or END, with the number of pieces as its offset and all their checksums in its own
 * </pre>
 */
final class BackupFile {
    /** "TIDESNAP" in ASCII, little-endian. */
    static final long MAGIC = 0x50414E5345444954L;

    static final long VERSION = 1;
    static final long HEAD_BYTES = 4L * Words.BYTES;
    static final long MAX_BYTES = 1 << 20;
    static final long TABLES = -1;
    static final long END = -2;

    private BackupFile() {}

    static long checksum(MemorySegment memory, long at, long kind, long offset, long length) {
        return Checksum64.of(memory, at, length, Checksum64.mix(Checksum64.start(kind), offset ^ length));
    }

    /** A writer of backup files. Unless {@link #finish} was called, it leaves nothing under the file's name. */
    static final class Writer implements AutoCloseable {
        private final Path path;
        private final Path unfinished;
        private final FileChannel channel;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment buffer = arena.allocate(HEAD_BYTES + MAX_BYTES, Words.BYTES);
        private long pieces;
        private long sum = Checksum64.start(MAGIC);

        Writer(Path path, BackupManifest description) throws IOException {
            this.path = path;
            this.unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
            this.channel = OwnerOnly.file(
                    unfinished,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
            byte[] text = description.text().getBytes(StandardCharsets.UTF_8);
            long length = text.length + 7L & -8L;
            buffer.fill((byte) 0);
            MemorySegment.copy(MemorySegment.ofArray(text), 0, buffer, HEAD_BYTES, text.length);
            Words.plain(buffer, 0, MAGIC);
            Words.plain(buffer, 8, VERSION);
            Words.plain(buffer, 16, length);
            Words.plain(buffer, 24, checksum(buffer, HEAD_BYTES, MAGIC, VERSION, length));
            write(HEAD_BYTES + length);
        }

        /** Adds a piece of at most {@link #MAX_BYTES}, in whole words. */
        void piece(long kind, long offset, MemorySegment memory, long length) throws IOException {
            MemorySegment.copy(memory, 0, buffer, HEAD_BYTES, length);
            long checksum = checksum(buffer, HEAD_BYTES, kind, offset, length);
            head(kind, offset, length, checksum);
            write(HEAD_BYTES + length);
            sum = Checksum64.mix(sum, checksum);
            pieces++;
        }

        /** Completes the file, forces it to the disk, and gives it its name. Returns its length. */
        long finish() throws IOException {
            head(END, pieces, 0, Checksum64.finish(sum));
            write(HEAD_BYTES);
            channel.force(true);
            long length = channel.size();
            channel.close();
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent())) {
                directory.force(true);
            }
            return length;
        }

        private void head(long kind, long offset, long length, long checksum) {
            Words.plain(buffer, 0, kind);
            Words.plain(buffer, 8, offset);
            Words.plain(buffer, 16, length);
            Words.plain(buffer, 24, checksum);
        }

        private void write(long bytes) throws IOException {
            var bytesLeft = buffer.asSlice(0, bytes).asByteBuffer();
            while (bytesLeft.hasRemaining()) channel.write(bytesLeft);
        }

        @Override
        public void close() throws IOException {
            arena.close();
            channel.close();
            Files.deleteIfExists(unfinished);
        }
    }

    /** A reader of backup files, from the beginning to the end. */
    static final class Reader implements AutoCloseable {
        private final Path path;
        private final FileChannel channel;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment buffer = arena.allocate(HEAD_BYTES + MAX_BYTES, Words.BYTES);
        private final BackupManifest description;
        private long at;
        private long pieces;
        private long sum = Checksum64.start(MAGIC);

        Reader(Path path) throws IOException {
            this.path = path;
            this.channel = FileChannel.open(path, StandardOpenOption.READ);
            try {
                this.description = head();
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        private BackupManifest head() throws IOException {
            if (!read(0, HEAD_BYTES) || word(0) != MAGIC) throw damaged("it does not begin like a snapshot");
            if (word(1) != VERSION)
                throw damaged("it has format version " + word(1) + ", this program reads " + VERSION);
            long length = word(2);
            long checksum = word(3);
            at = HEAD_BYTES;
            if (length < 8 || length > MAX_BYTES || length % 8 != 0 || !read(HEAD_BYTES, length))
                throw damaged("its description is cut off");
            if (checksum != checksum(buffer, HEAD_BYTES, MAGIC, VERSION, length))
                throw damaged("its description is damaged");
            at += length;
            byte[] text = buffer.asSlice(HEAD_BYTES, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            return BackupManifest.parse(new String(text, StandardCharsets.UTF_8).replace("\0", ""));
        }

        BackupManifest description() {
            return description;
        }

        /**
         * Reads the next piece into {@link #memory}. Returns false at the end piece; a file that ends without one is
         * refused.
         */
        boolean next() throws IOException {
            if (!read(0, HEAD_BYTES)) throw damaged("it ends without saying so");
            if (word(0) == END) {
                if (word(1) != pieces || word(3) != Checksum64.finish(sum)) throw damaged("pieces are missing");
                return false;
            }
            long length = word(2);
            boolean plausible = word(0) >= TABLES
                    && word(0) < description.options().partitions()
                    && word(1) >= 0
                    && length > 0
                    && length <= MAX_BYTES
                    && length % 8 == 0;
            at += HEAD_BYTES;
            if (!plausible || !read(HEAD_BYTES, length)) throw damaged("a piece is cut off or damaged");
            if (word(3) != checksum(buffer, HEAD_BYTES, word(0), word(1), length)) throw damaged("a piece is damaged");
            sum = Checksum64.mix(sum, word(3));
            pieces++;
            at += length;
            return true;
        }

        /** Returns a partition, or {@link #TABLES}. */
        long kind() {
            return word(0);
        }

        long offset() {
            return word(1);
        }

        long length() {
            return word(2);
        }

        /** Returns the content of the piece, until the next one is read. */
        MemorySegment memory() {
            return buffer.asSlice(HEAD_BYTES, length());
        }

        private long word(int i) {
            return Words.plain(buffer, (long) i * Words.BYTES);
        }

        /** Reads from the current place of the file; returns false if the file ends too early. */
        private boolean read(long into, long bytes) throws IOException {
            var wanted = buffer.asSlice(into, bytes).asByteBuffer();
            long from = at;
            while (wanted.hasRemaining()) {
                int count = channel.read(wanted, from);
                if (count < 0) return false;
                from += count;
            }
            return true;
        }

        private BackupException damaged(String what) {
            return new BackupException(path + " cannot be used: " + what + " (at byte " + at + ")");
        }

        @Override
        public void close() throws IOException {
            arena.close();
            channel.close();
        }
    }
}
