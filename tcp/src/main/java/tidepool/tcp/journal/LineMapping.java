package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Files on persistent memory as memory, and the way from the processor's caches to where they outlast a loss of power. The
 * real one is {@link #system}; tests have one that forgets what was not forced.
 */
public interface LineMapping {
    /** What the processor writes back as a whole. Lines may get there by themselves too, at any time and in any order. */
    int LINE = 64;

    /** The bytes of a file from {@code at} on, a multiple of 4096, as long as the arena lives. */
    MemorySegment map(Path file, long at, long bytes, Arena arena) throws IOException;

    /** Returns when these bytes would outlast a loss of power. Any thread. */
    void force(MemorySegment memory, long offset, long bytes);

    /** Persistent memory under a file system that is mounted with dax: JEP 352. */
    static LineMapping system() {
        return new SystemLines();
    }

    /** Why files of this folder cannot be mapped so; null if they can. Leaves nothing behind. */
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
