package tidepool.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tidepool.base.OwnerOnly;

/** A journal folder in the file system of the operating system. */
public final class SystemDisk implements JournalDisk {
    private final Path folder;

    /** @param folder an existing folder */
    public SystemDisk(Path folder) {
        this.folder = folder;
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) names.add(entry.getFileName().toString());
        }
        return names;
    }

    @Override
    public File create(String name) throws IOException {
        try {
            FileChannel channel = OwnerOnly.file(
                    folder.resolve(name),
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE));
            return opened(channel, name);
        } catch (IOException e) {
            throw judged(e);
        }
    }

    @Override
    public File open(String name) throws IOException {
        Path path = folder.resolve(name);
        if (!Files.isWritable(path)) return new Opened(FileChannel.open(path, StandardOpenOption.READ), null);
        return opened(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), name);
    }

    /** Adds a second channel that forces every write. */
    private File opened(FileChannel channel, String name) throws IOException {
        boolean done = false;
        try {
            Path path = folder.resolve(name);
            File file = new Opened(channel, FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.DSYNC));
            done = true;
            return file;
        } finally {
            if (!done) channel.close();
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                folder.resolve(from),
                folder.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    @Override
    public void forceNames() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Returns the inode. A copy has another one, and so has a file restored from an archive. */
    @Override
    public long stamp(String name) throws IOException {
        return ((Number) Files.getAttribute(folder.resolve(name), "unix:ino")).longValue();
    }

    @Override
    public String path(String name) {
        return folder.resolve(name).toString();
    }

    /** Recognizes a full disk by the text of the C library, because Java reports no error number. */
    private static IOException judged(IOException e) {
        String why = e.getMessage() == null ? "" : e.getMessage();
        boolean full = why.contains("No space left on device") || why.contains("Disk quota exceeded");
        return full ? new DiskFullException(why, e) : e;
    }

    /** An open file. An interrupt would close its channels; no code interrupts a thread that writes a journal. */
    private record Opened(FileChannel channel, FileChannel forced) implements File {
        @Override
        public int write(ByteBuffer from, long at) throws IOException {
            return write(channel, from, at);
        }

        @Override
        public int writeForced(ByteBuffer from, long at) throws IOException {
            return write(forced, from, at);
        }

        private static int write(FileChannel to, ByteBuffer from, long at) throws IOException {
            try {
                return to.write(from, at);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException e) {
                throw judged(e);
            }
        }

        @Override
        public int read(ByteBuffer to, long at) throws IOException {
            return channel.read(to, at);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            if (forced != null) forced.close();
            channel.close();
        }
    }
}
