package tidepool.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import tidepool.workload.ScratchFolder;

/**
 * A place for a temporary pool on shared memory: under {@code /dev/shm} if there is room, else in the folder for
 * temporary files. It is removed when it is closed, and when the process is asked to end before that. The next process
 * removes the place of a killed one.
 */
public final class TemporaryPool implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final ScratchFolder folder;
    private final Thread whenInterrupted;

    private TemporaryPool(ScratchFolder folder) {
        this.folder = folder;
        this.whenInterrupted = new Thread(folder::close, "remove-temporary-pool");
    }

    /** Makes the place, with at least this free space. Opening {@link #url} makes the pool itself. */
    public static TemporaryPool create(long neededBytes) {
        try {
            Path parent = hasRoom(SHARED_MEMORY, neededBytes) ? SHARED_MEMORY : temporaryFolder();
            if (!hasRoom(parent, neededBytes))
                throw new IllegalStateException("not enough room: " + gigabytes(neededBytes) + " are needed, and "
                        + SHARED_MEMORY + " has " + room(SHARED_MEMORY) + ", " + parent + " " + room(parent));
            TemporaryPool pool = new TemporaryPool(ScratchFolder.create(parent, "tidepool-bench-"));
            Runtime.getRuntime().addShutdownHook(pool.whenInterrupted);
            return pool;
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary pool could be made: " + e.getMessage(), e);
        }
    }

    /** Returns whether a place is memory. A place on a disk serves for tests but not for measurements. */
    public static boolean isInSharedMemory(Path place) {
        return place.startsWith(SHARED_MEMORY);
    }

    /** Returns the URL of the pool, with parameters such as {@code nodes=1}. */
    public String url(String parameters) {
        return "shm:" + folder.path().resolve("pool") + "?" + parameters;
    }

    /** Returns the place itself, for other files that are to be removed with it. */
    public Path folder() {
        return folder.path();
    }

    @Override
    public void close() {
        folder.close();
        try {
            Runtime.getRuntime().removeShutdownHook(whenInterrupted);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook removes the place.
        }
    }

    private static Path temporaryFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static String room(Path folder) throws IOException {
        return Files.isDirectory(folder) ? gigabytes(Files.getFileStore(folder).getUsableSpace()) : "none";
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }

    private static boolean hasRoom(Path folder, long bytes) throws IOException {
        return Files.isDirectory(folder)
                && Files.isWritable(folder)
                && Files.getFileStore(folder).getUsableSpace() >= bytes;
    }
}
