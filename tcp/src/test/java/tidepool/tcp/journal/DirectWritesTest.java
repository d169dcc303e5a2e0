package tidepool.tcp.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forced writes past the cache leave what writes through it leave: nothing else in the file changes. */
final class DirectWritesTest {
    private static final int SIZE = 1 << 16;

    @TempDir
    Path folder;

    /** Pages before and behind, the page that is shared with the write before, and the last one of the file. */
    @Test
    void everyLengthAtEveryKindOfPlaceIsThereAndNothingElse() throws IOException {
        int[] lengths = {1, 8, 72, 511, 512, 513, 4024, 4088, 4095, 4096, 4097, 8192, 12345};
        for (int length : lengths)
            for (int at : new int[] {0, 8, 72, 4088, 4095, 4096, 4097, SIZE - 12345, SIZE - length})
                oneBehindTheOther(length, at);
    }

    private void oneBehindTheOther(int length, int from) throws IOException {
        Random random = new Random(length * 31L + from);
        byte[] expected = new byte[SIZE];
        for (int i = 0; i < from; i++) expected[i] = (byte) (random.nextInt(255) + 1);
        Path path = Files.write(folder.resolve("f"), expected);
        try (JournalDisk.File file = new SystemDisk(folder).open("f")) {
            for (int at = from; at + length <= SIZE && at < from + 4 * length; at += length)
                forced(file, expected, random, at, length);
        }
        assertArrayEquals(expected, Files.readAllBytes(path), "length=" + length + " from=" + from);
    }

    private static void forced(JournalDisk.File file, byte[] expected, Random random, int at, int length)
            throws IOException {
        ByteBuffer bytes = filled(random, length);
        bytes.get(0, expected, at, length);
        for (int done = 0; bytes.hasRemaining(); ) done += file.writeForced(bytes, at + done);
    }

    private static ByteBuffer filled(Random random, int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) bytes.put(i, (byte) (random.nextInt(255) + 1));
        return bytes;
    }

    /** As the journal does it: forced and not, longer and shorter, and the file cut and begun again in between. */
    @Test
    void writesThroughTheCacheAndPastItDoNotLoseEachOther() throws IOException {
        Path path = folder.resolve("g");
        try (JournalDisk.File file = new SystemDisk(folder).create("g")) {
            for (int seed = 0; seed < 60; seed++) {
                Random random = new Random(seed);
                file.truncate(0);
                int size = 1 + random.nextInt(SIZE);
                byte[] expected = new byte[size];
                for (int at = 0; at < size; ) at += file.write(ByteBuffer.wrap(expected, at, size - at), at);
                int at = 0;
                while (true) {
                    int length = 1 + random.nextInt(random.nextBoolean() ? 200 : 9000);
                    if (at + length > size) break;
                    if (random.nextInt(3) > 0) {
                        forced(file, expected, random, at, length);
                    } else {
                        ByteBuffer bytes = filled(random, length);
                        bytes.get(0, expected, at, length);
                        for (int done = 0; bytes.hasRemaining(); ) done += file.write(bytes, at + done);
                    }
                    at += length;
                }
                file.truncate(at);
                assertArrayEquals(Arrays.copyOf(expected, at), Files.readAllBytes(path), "seed=" + seed);
            }
        }
    }

    /** A file that grows with its writes is never longer than they are: zeros at its end would look torn. */
    @Test
    void aFileDoesNotBecomeLongerThanWhatWasWritten() throws IOException {
        try (JournalDisk.File file = new SystemDisk(folder).create("h")) {
            Random random = new Random(1);
            byte[] expected = new byte[30000];
            for (int at = 0; at + 777 <= expected.length; at += 777) {
                forced(file, expected, random, at, 777);
                assertEquals(at + 777, file.size());
            }
        }
    }

    /** Otherwise all of the above says nothing. */
    @Test
    void theFileSystemOfTheseTestsTakesThem() throws IOException {
        Path path = Files.write(folder.resolve("i"), new byte[SIZE]);
        try (FileChannel cached = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                DirectWrites direct = DirectWrites.open(path, cached)) {
            assumeTrue(direct != null, "the file system has no O_DIRECT");
            assertTrue(direct.takes(72, 1000));
            assertFalse(direct.takes(SIZE - 10, 20));
            assertTrue(direct.write(filled(new Random(1), 1000), 72));
        }
    }

    /** Memory that looks like a disk: whatever it says to such writes, they are there. */
    @Test
    void aFileSystemInMemoryKeepsTheSame() throws IOException {
        Path shared = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(shared), "there is no file system in memory");
        Path inMemory = Files.createTempDirectory(shared, "tidepool-direct-");
        byte[] expected = new byte[SIZE];
        Path path = Files.write(inMemory.resolve("f"), expected);
        try (JournalDisk.File file = new SystemDisk(inMemory).open("f")) {
            Random random = new Random(1);
            for (int at = 72; at + 1000 <= SIZE; at += 1000) forced(file, expected, random, at, 1000);
            assertArrayEquals(expected, Files.readAllBytes(path));
        } finally {
            Files.delete(path);
            Files.delete(inMemory);
        }
    }

    /** It says so at the first write: nothing has failed, and nobody asks again. */
    @Test
    void aFileSystemThatRefusesThemIsNotAskedTwice() throws IOException {
        Path path = Files.write(folder.resolve("j"), new byte[SIZE]);
        try (FileChannel cached = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                DirectWrites direct = new DirectWrites(cached, new BrokenChannel("Invalid argument"), 4096)) {
            ByteBuffer bytes = filled(new Random(1), 1000);

            assertFalse(direct.write(bytes, 72));

            assertEquals(1000, bytes.remaining());
            assertFalse(direct.takes(72, 1000));
        }
    }

    /** A disk that fails is no reason to try another way. */
    @Test
    void aDiskThatFailsIsToldAsItIs() throws IOException {
        Path path = Files.write(folder.resolve("k"), new byte[SIZE]);
        try (FileChannel cached = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                DirectWrites direct = new DirectWrites(cached, new BrokenChannel("Input/output error"), 4096)) {
            ByteBuffer bytes = filled(new Random(1), 1000);

            IOException failure = assertThrows(IOException.class, () -> direct.write(bytes, 72));

            assertEquals("Input/output error", failure.getMessage());
        }
    }
}
