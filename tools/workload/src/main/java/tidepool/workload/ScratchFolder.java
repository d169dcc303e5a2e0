package tidepool.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import tidepool.base.Waiting;

/**
 * A temporary folder of this process, in shared memory if the machine has some. The process holds a kernel lock on a
 * file in it and loses the lock by any death. Each new folder removes those whose process is dead, because files in
 * {@code /dev/shm} take memory until the machine restarts.
 *
 * <p>The lock file is removed last: a folder whose removal was interrupted is still found.
 */
public final class ScratchFolder implements AutoCloseable {
    /** The lock file. */
    static final String OWNER = ".owner";

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Pattern NAME = Pattern.compile("tidepool-(bench-)?[0-9]+");
    private static final int REMOVALS = 20;
    private static final long REMOVAL_PAUSE_NANOS = 10_000_000;

    /** Folders of this process, never probed: closing any descriptor of a file gives up the process's locks on it. */
    private static final Set<Path> HERE = new HashSet<>(); // guarded by itself

    private final Path path;
    private final FileChannel owner;

    private ScratchFolder(Path path, FileChannel owner) {
        this.path = path;
        this.owner = owner;
    }

    /** Creates a folder under {@code /dev/shm}, or among the temporary files if that is not writable. */
    public static ScratchFolder create() {
        return create(
                Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir")),
                "tidepool-");
    }

    /**
     * Creates a folder in {@code parent}. The name is the prefix and a number; {@code tidepool-} and
     * {@code tidepool-bench-} are swept.
     */
    public static ScratchFolder create(Path parent, String prefix) {
        synchronized (HERE) {
            try {
                sweep(parent);
                while (true) {
                    Path path = Files.createTempDirectory(parent, prefix);
                    FileChannel owner = lock(path.resolve(OWNER));
                    if (owner == null) continue;
                    HERE.add(path);
                    return new ScratchFolder(path, owner);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("no place for a temporary pool: " + e.getMessage(), e);
            }
        }
    }

    /** Returns null if another process found the file before it was locked, and is removing it. */
    private static FileChannel lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean held = false;
        try {
            held = channel.tryLock() != null && Files.exists(file);
            return held ? channel : null;
        } finally {
            if (!held) channel.close();
        }
    }

    public Path path() {
        return path;
    }

    /** Removes the folder and its contents. Closing twice does nothing. */
    @Override
    public void close() {
        synchronized (HERE) {
            if (!HERE.contains(path)) return;
            try {
                remove(path);
                owner.close();
            } catch (IOException e) {
                // A dying process still makes files here. The sweep of the next folder removes them.
            } finally {
                HERE.remove(path);
            }
        }
    }

    /** Removes the folders of dead processes. Folders without a lock file are left alone. */
    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(
                parent, entry -> NAME.matcher(entry.getFileName().toString()).matches())) {
            for (Path folder : siblings) if (!HERE.contains(folder)) sweepIfDead(folder);
        }
    }

    private static void sweepIfDead(Path folder) {
        if (!Files.isRegularFile(folder.resolve(OWNER), LinkOption.NOFOLLOW_LINKS)) return;
        try (FileChannel channel =
                FileChannel.open(folder.resolve(OWNER), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.tryLock() != null) remove(folder);
        } catch (OverlappingFileLockException e) {
            // Belongs to this process, through another class loader.
        } catch (IOException e) {
            // Belongs to another user, or was removed meanwhile.
        }
    }

    /** Removes the folder with several tries, because a dying process may have made a file meanwhile. */
    private static void remove(Path folder) throws IOException {
        Path lock = folder.resolve(OWNER);
        for (int tries = 1; ; tries++) {
            try {
                Files.walkFileTree(folder, new Removal(lock, folder));
                Files.deleteIfExists(lock);
                Files.deleteIfExists(folder);
                return;
            } catch (NoSuchFileException e) {
                if (!Files.exists(folder)) return;
            } catch (IOException e) {
                if (tries == REMOVALS) throw e;
                Waiting.pause(REMOVAL_PAUSE_NANOS);
            }
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        private final Path kept;
        private final Path root;

        Removal(Path kept, Path root) {
            this.kept = kept;
            this.root = root;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!file.equals(kept)) Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
            if (!directory.equals(root)) Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
