package tidepool.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A folder among the temporary files, on a disk and not in shared memory, gone when it is closed or the process ends. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;
    private final Thread whenInterrupted = new Thread(this::remove, "remove-temporary-folder");

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    public static TemporaryFolder onDisk() {
        try {
            TemporaryFolder folder = new TemporaryFolder(Files.createTempDirectory("tidepool-bench-"));
            Runtime.getRuntime().addShutdownHook(folder.whenInterrupted);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder could be made: " + e.getMessage(), e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(whenInterrupted);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook removes what it finds.
        }
    }

    private void remove() {
        try {
            if (Files.exists(path)) Files.walkFileTree(path, new Removal());
        } catch (IOException e) {
            // Whoever is being killed may still be making files; they lie among the temporary ones.
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
