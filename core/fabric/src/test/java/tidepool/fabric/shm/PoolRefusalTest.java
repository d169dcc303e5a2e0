package tidepool.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.memory.NodeLayout;
import tidepool.testkit.ChildProcess;

/**
 * A pool that cannot be opened is refused by one sentence that names the path and the cause, and nothing is changed.
 */
class PoolRefusalTest {
    @TempDir
    Path folder;

    private Path pool() {
        return folder.resolve("pool");
    }

    /** A foreign directory, even an empty one, is not filled with a pool. */
    @Test
    void foreignPlacesAreLeftAlone() throws IOException {
        Path photos = Files.createDirectory(folder.resolve("photos"));
        Files.writeString(photos.resolve("sea.txt"), "blue");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path file = Files.writeString(folder.resolve("file"), "text");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        for (String mode : new String[] {"auto", "attach"})
            for (Path place : new Path[] {photos, empty, file, link})
                refused("shm:" + place + "?mode=" + mode, "not a Tidepool pool, and left as it is", place);
        for (Path place : new Path[] {photos, empty, file, link})
            refused("shm:" + place + "?mode=create", "exists already", place);
    }

    @Test
    void missingPoolsAndParentsAreNamed() throws IOException {
        refused("shm:" + pool() + "?mode=attach", "there is no pool to attach to", pool());
        refused(
                "shm:" + folder.resolve("a/b") + "?mode=attach",
                "there is no pool to attach to",
                folder.resolve("a/b"));
        refused("shm:" + folder.resolve("a/b"), "no such directory", folder.resolve("a"));
        Files.writeString(folder.resolve("file"), "text");
        refused("shm:" + folder.resolve("file/pool"), "not a directory", folder.resolve("file"));
        refused("shm:/proc/tidepool-pool", "cannot be created", Path.of("/proc/tidepool-pool"));
    }

    /** Permissions do not stop root; a read-only file system does. */
    @Test
    void readOnlyFileSystemIsNamed() {
        Path readOnly = Path.of("/sys/kernel");
        assumeTrue(Files.isDirectory(readOnly), "no /sys here, so no directory that surely refuses files");
        refused("shm:" + readOnly.resolve("pool"), "cannot be created", readOnly.resolve("pool"));
    }

    @Test
    void createRefusesWhatExists() {
        Fabric.open("shm:" + pool()).close();

        refused("shm:" + pool() + "?mode=create", "exists already", pool());
    }

    /** Options belong to the pool: a process that asks for others means another pool. */
    @Test
    void otherGeometryIsRefused() {
        Fabric.open("shm:" + pool() + "?nodes=3&durability=force&handlers=off").close();

        refused("shm:" + pool() + "?nodes=2", "nodes=3, asked for nodes=2", pool());
        refused("shm:" + pool() + "?durability=none", "durability=force, asked for durability=none", pool());
        refused("shm:" + pool() + "?handlers=on", "handlers=off, asked for handlers=on", pool());
        try (ShmFabric fabric = (ShmFabric) Fabric.open("shm:" + pool())) {
            assertEquals(3, fabric.nodes());
            assertEquals(tidepool.fabric.direct.FlushMode.FORCE, fabric.flushMode());
            assertFalse(fabric.memoryNode(0).handlers().areOn());
        }
    }

    /** Every flipped bit in the superblock is noticed. */
    @Test
    void everyBitOfTheSuperblockCounts() throws IOException {
        Fabric.open("shm:" + pool()).close();
        Path file = pool().resolve("pool");
        byte[] good = Files.readAllBytes(file);
        assertEquals(PoolLayout.BYTES, good.length);
        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, bad);
            String why = bit < 64 ? "not a Tidepool pool" : bit < 96 ? "format version" : "checksum is wrong";
            FabricException e = assertThrows(FabricException.class, () -> Fabric.open("shm:" + pool()), "bit " + bit);
            assertTrue(e.getMessage().contains(why) && e.getMessage().contains(file.toString()), e.getMessage());
        }
        Files.write(file, Arrays.copyOf(good, good.length - 1));
        refused("shm:" + pool(), "superblock was cut", file);
        Files.write(file, Arrays.copyOf(good, good.length + 1));
        refused("shm:" + pool(), "superblock was cut or is another", file);
        Files.write(file, new byte[0]);
        refused("shm:" + pool(), "superblock was cut", file);
        Files.write(file, good);
        Fabric.open("shm:" + pool()).close();
    }

    @Test
    void otherFormatVersionsAreCalledOlderAndNewer() throws IOException {
        Fabric.open("shm:" + pool()).close();
        Path file = pool().resolve("pool");

        rewrite(file, block -> block.set(Words.U32, PoolLayout.VERSION_AT, 2));
        refused("shm:" + pool(), "a newer Tidepool: its format version is 2, this program reads 1", file);
        rewrite(file, block -> block.set(Words.U32, PoolLayout.VERSION_AT, 0));
        refused("shm:" + pool(), "an older Tidepool: its format version is 0, this program reads 1", file);
    }

    /** A matching checksum does not make the contents valid. */
    @Test
    void senselessSuperblockIsRefusedThoughItsChecksumIsRight() throws IOException {
        Fabric.open("shm:" + pool()).close();
        Path file = pool().resolve("pool");
        byte[] good = Files.readAllBytes(file);

        for (int nodes : new int[] {0, -1, 65}) {
            rewrite(file, block -> block.set(Words.U32, PoolLayout.NODES, nodes));
            refused("shm:" + pool(), "makes no sense: nodes=" + nodes, file);
        }
        Files.write(file, good);
        for (long options : new long[] {3, 8, -1}) {
            rewrite(file, block -> Words.plain(block, PoolLayout.OPTIONS, options));
            refused("shm:" + pool(), "makes no sense", file);
        }
    }

    @Test
    void missingAndCutFilesAreNamed() throws IOException {
        Id128 capability;
        try (Fabric fabric = Fabric.open("shm:" + pool())) {
            fabric.control(1).createRegion(8192);
            capability = fabric.control(1).createRegion(8192);
        }
        Path meta = pool().resolve("node-2/meta");
        Path region = pool().resolve("node-1/region-1");
        for (Path file : new Path[] {meta, region}) {
            byte[] good = Files.readAllBytes(file);
            Files.delete(file);
            refused("shm:" + pool(), "a file of the pool is missing", file);
            Files.write(file, Arrays.copyOf(good, good.length - 4096));
            refused("shm:" + pool(), "was cut or is another: bytes=" + (good.length - 4096), file);
            Files.write(file, new byte[0]);
            refused("shm:" + pool(), "was cut or is another: bytes=0", file);
            Files.write(file, good);
        }
        Files.delete(pool().resolve("sessions"));
        refused("shm:" + pool(), "a directory of the pool is missing", pool().resolve("sessions"));
        Files.createDirectory(pool().resolve("sessions"));
        try (Fabric fabric = Fabric.open("shm:" + pool())) {
            assertEquals(capability, fabric.control(1).regions()[1]);
        }
    }

    @Test
    void damagedNodesAndRegionsAreRefused() throws IOException {
        Id128 capability;
        try (Fabric fabric = Fabric.open("shm:" + pool())) {
            capability = fabric.control(0).createRegion(8192);
        }
        Path meta = pool().resolve("node-0/meta");
        for (int at = 0; at < 16; at++) {
            flip(meta, at);
            refused("shm:" + pool(), "", pool());
            flip(meta, at);
        }
        flip(meta, (int) NodeLayout.REGION_COUNT + 3);
        refused("shm:" + pool(), "region table is damaged", pool().resolve("node-0"));
        flip(meta, (int) NodeLayout.REGION_COUNT + 3);
        flip(pool().resolve("node-0/region-0"), 9);
        try (Fabric fabric = Fabric.open("shm:" + pool());
                var session = fabric.attach()) {
            FabricException e = assertThrows(
                    FabricException.class, () -> session.lane().connect(0).open(capability));
            assertEquals(Reason.UNAVAILABLE, e.reason());
            assertTrue(e.getMessage().contains("region 0 has format version"), e.getMessage());
        }
    }

    /**
     * A full file system is reported while the region is created. The incomplete file is removed, everything else
     * stays.
     */
    @Test
    void fullFileSystemIsAnErrorAndNotASignal() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", small.toString()) == 0,
                "only root may mount a small tmpfs, so a full one was not tried");
        try {
            try (Fabric fabric = Fabric.open("shm:" + small.resolve("pool"))) {
                Id128 first = fabric.control(0).createRegion(1 << 20);
                FabricException e = assertThrows(
                        FabricException.class, () -> fabric.control(0).createRegion(8 << 20));
                assertEquals(Reason.UNAVAILABLE, e.reason());
                assertTrue(e.getMessage().contains("not enough space"), e.getMessage());
                assertTrue(e.getMessage().contains("needed="), e.getMessage());
                assertTrue(e.getMessage().contains("node-0/region-1"), e.getMessage());
                assertFalse(Files.exists(small.resolve("pool/node-0/region-1")));
                // Without the check of the free space before, the write itself runs out of space.
                Path file = small.resolve("big");
                IOException full = assertThrows(IOException.class, () -> PoolFiles.createZeroed(file, 8 << 20, false));
                assertEquals("No space left on device", PoolFiles.cause(full));
                assertFalse(Files.exists(file));

                Id128 second = fabric.control(0).createRegion(1 << 20);
                assertEquals(first, fabric.control(0).regions()[0]);
                assertEquals(second, fabric.control(0).regions()[1]);
            }
            Map<String, String> before = snapshot(small);
            PoolFiles.createZeroed(
                    small.resolve("ballast"), Files.getFileStore(small).getUsableSpace() - 16384, false);
            FabricException e = assertThrows(FabricException.class, () -> Fabric.open("shm:" + small.resolve("other")));
            assertTrue(e.getMessage().contains("No space left on device"), e.getMessage());
            Files.delete(small.resolve("ballast"));
            Files.delete(small.resolve("other.lock"));
            assertEquals(before, snapshot(small), "no debris of the pool that could not be made");
        } finally {
            run("umount", small.toString());
        }
    }

    @Test
    void impossibleSizesAreRefusedBeforeAnythingIsWritten() throws IOException {
        try (Fabric fabric = Fabric.open("shm:" + pool())) {
            FabricException e =
                    assertThrows(FabricException.class, () -> fabric.control(0).createRegion(1L << 45));
            assertTrue(e.getMessage().contains("not enough space"), e.getMessage());
            assertFalse(Files.exists(pool().resolve("node-0/region-0")));
        }
    }

    /** DAX is rare. On any other file system the option is refused, and no pool without it is left. */
    @Test
    void syncNeedsPersistentMemory() throws IOException {
        try {
            Fabric.open("shm:" + pool() + "?durability=sync").close();
            assumeTrue(false, "this file system has dax, so its absence was not tried");
        } catch (FabricException e) {
            assertTrue(e.getMessage().contains("durability=sync needs persistent memory"), e.getMessage());
            assertFalse(Files.exists(pool()));
            try (var left = Files.list(folder)) {
                assertEquals(1, left.count(), "the creation lock and nothing else");
            }
        }
    }

    @Test
    void badUrlsAreQuoted() {
        for (String url : new String[] {
            "shm:",
            "shm:" + pool() + "?nodes=0",
            "shm:" + pool() + "?nodes=65",
            "shm:" + pool() + "?nodes=three",
            "shm:" + pool() + "?durability=maybe",
            "shm:" + pool() + "?mode=new",
            "shm:" + pool() + "?handlers=yes",
            "shm:" + pool() + "?revokeWaitMillis=-1",
            "shm:" + pool() + "?colour=red",
            "shm:/a\0b"
        }) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Fabric.open(url), url);
            assertTrue(e.getMessage().contains(url), e.getMessage());
        }
        assertFalse(Files.exists(pool()));
        refused("shm:/", "not a place for a pool", Path.of("/"));
    }

    private void refused(String url, String why, Path named) {
        try {
            Map<String, String> before = snapshot(folder);
            FabricException e = assertThrows(FabricException.class, () -> Fabric.open(url), url);
            assertEquals(Reason.UNAVAILABLE, e.reason(), e.getMessage());
            assertTrue(e.getMessage().contains(why), e.getMessage());
            assertTrue(e.getMessage().contains(named.toString()), e.getMessage());
            assertFalse(e.getMessage().contains("\n"));
            Map<String, String> after = snapshot(folder);
            after.keySet().removeIf(name -> name.endsWith(".lock") && !before.containsKey(name));
            assertEquals(before, after, "nothing was changed");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns every path below, with its type and content. */
    private static Map<String, String> snapshot(Path root) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (var all = Files.walk(root)) {
            for (Path path : all.toList())
                found.put(
                        root.relativize(path).toString(),
                        Files.isRegularFile(path)
                                ? Files.size(path) + "/" + Arrays.hashCode(Files.readAllBytes(path))
                                : "");
        }
        return found;
    }

    /** Changes the superblock and recomputes its checksum. */
    private static void rewrite(Path file, java.util.function.Consumer<MemorySegment> change) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment block = channel.map(FileChannel.MapMode.READ_WRITE, 0, PoolLayout.BYTES, arena);
            change.accept(block);
            Words.plain(block, PoolLayout.CHECKSUM, Checksum64.of(block, 0, PoolLayout.CHECKSUM, PoolLayout.MAGIC));
        }
    }

    private static void flip(Path path, int at) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(at);
            int old = file.read();
            file.seek(at);
            file.write(old ^ 0x10);
        }
    }

    private static int run(String... command) {
        try (ChildProcess process = ChildProcess.program(command).start()) {
            return process.exitCode();
        }
    }

    /** The owner of a directory can change its contents at any time, and may have placed it there on purpose. */
    @Test
    void aPoolOfAnotherUserIsRefused() throws IOException {
        Path pool = pool();
        Fabric.open("shm:" + pool + "?nodes=1").close();
        boolean root = Files.getOwner(Path.of("/")).equals(Files.getOwner(Path.of("/proc/self")));
        FabricException refused;
        if (root) {
            Files.setOwner(
                    pool, pool.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            refused = assertThrows(
                    FabricException.class, () -> Fabric.open("shm:" + pool).close());
            Files.setOwner(pool, Files.getOwner(Path.of("/proc/self")));
        } else {
            refused = assertThrows(FabricException.class, () -> PoolDirectory.refuseForeign(pool, Path.of("/")));
        }
        assertTrue(refused.getMessage().contains("the pool belongs to another user"), refused.getMessage());
        Fabric.open("shm:" + pool).close();
    }
}
