package tidepool.fabric.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Words;

class PrefetchTest {
    @BeforeEach
    void onlyWhereThereIsOne() {
        assumeTrue("amd64".equals(System.getProperty("os.arch")) && "Linux".equals(System.getProperty("os.name")));
        assertTrue(Prefetch.prepare());
        assertTrue(Prefetch.isReady());
    }

    /** Addresses come from caches, and pools are closed at any time: no hint may end the process. */
    @Test
    void pointsAnywhereWithoutHarm() {
        for (long at : new long[] {0, 1, -1, 4096, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 47, -1L << 47}) {
            Prefetch.near(at, at + 64, false);
            Prefetch.near(at, at + 64, true);
        }
    }

    /** A hint for writing requests the line as a writer does, but must not write. */
    @Test
    void changesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment words = arena.allocate(1 << 16, 64);
            for (long at = 0; at < words.byteSize(); at += Words.BYTES) Words.plain(words, at, at);

            for (long at = 0; at < words.byteSize() - 64; at += Words.BYTES)
                Prefetch.near(words.address() + at, words.address() + at + 64, at % 16 == 0);

            for (long at = 0; at < words.byteSize(); at += Words.BYTES) assertEquals(at, Words.plain(words, at));
        }
    }

    /** A process that may only read a pool maps it read-only. */
    @Test
    void asksForMemoryThatMayNotBeWritten(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("words"), new byte[8192]);
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            long at = channel.map(FileChannel.MapMode.READ_ONLY, 0, 8192, arena).address();
            for (int i = 0; i < 8192; i += 64) Prefetch.near(at, at + i, true);
        }
    }
}
