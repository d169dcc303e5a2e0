package tidepool.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A folder among the temporary files, on a disk and not in shared memory. It is removed when it is closed or the
 * process ends.
 */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;
    private final Thread whenInterrupted = new Thread(this::remove, "remove-temporary-folder");

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    public static TemporaryFolder onDisk() {
        try {
            String name = prefix(ProcessHandle.current().pid());
            TemporaryFolder folder = new TemporaryFolder(Files.createTempDirectory(name));
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
            // The process is ending, and the hook removes the folder.
        }
    }

    /** Removes the folders of a process that was killed and could not remove them. */
    public static void removeThoseOf(long pid) {
        Path all = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(all, prefix(pid) + "*")) {
            for (Path folder : left) remove(folder);
        } catch (IOException e) {
            // The folders stay among the temporary files.
        }
    }

    private static String prefix(long pid) {
        return "tidepool-bench-" + pid + "-";
    }

    private void remove() {
        remove(path);
    }

    private static void remove(Path path) {
        try {
            if (Files.exists(path)) Files.walkFileTree(path, new Removal());
        } catch (IOException e) {
            // A process that is being killed may still create files; they stay among the temporary files.
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
