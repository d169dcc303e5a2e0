package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A mapping of files on persistent memory, with the operation that moves cache lines to where they survive a loss of
 * power. The real one is {@link #system}. Tests use one that loses everything that was not forced.
 */
public interface PersistentMapping {
    /**
     * Bytes of a cache line, written back as a whole. The processor may also write lines back at any time in any order.
     */
    int LINE = 64;

    /** Maps bytes of a file from {@code at} on, a multiple of 4096, until the arena is closed. */
    MemorySegment map(Path file, long at, long bytes, Arena arena) throws IOException;

    /** Returns when these bytes would survive a loss of power. Any thread may call it. */
    void force(MemorySegment memory, long offset, long bytes);

    /** Returns the mapping of persistent memory under a file system that is mounted with dax: JEP 352. */
    static PersistentMapping system() {
        return new SyncMapping();
    }

    /** Returns why files of this folder cannot be mapped; null if they can. Removes its test file. */
    default String fault(Path folder) {
        Path file = folder.resolve("lines.try");
        try (Arena arena = Arena.ofConfined()) {
            Files.write(
                    file,
                    new byte[4096],
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
            map(file, 0, 4096, arena);
            return null;
        } catch (IOException e) {
            return e.getMessage() == null ? e.toString() : e.getMessage();
        } finally {
            delete(file);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // The next start writes over it.
        }
    }
}
