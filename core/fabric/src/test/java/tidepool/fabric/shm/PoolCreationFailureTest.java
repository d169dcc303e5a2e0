package tidepool.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.fabric.direct.FlushMode;
import tidepool.testkit.SmallTmpfs;

/** A pool that cannot be created leaves nothing but its empty lock file, and the error says why. */
class PoolCreationFailureTest {
    private static final int NODES = 3;

    @TempDir
    Path folder;

    private Path pool() {
        return folder.resolve("pool");
    }

    /** Debris in /dev/shm takes memory until the machine is restarted. */
    @Test
    void aFailureOfAnyStepLeavesNothing() throws IOException {
        List<Path> steps = new ArrayList<>();
        creation(made -> steps.add(made.getFileName())).create();
        Fabric.open("shm:" + pool() + "?mode=attach").close();
        assertEquals(4 + 2 * NODES, steps.size(), "the steps of a creation: " + steps);
        remove(pool());

        for (int failing = 0; failing < steps.size(); failing++) {
            int[] left = {failing};
            ShmPoolCreation creation = creation(made -> {
                if (left[0]-- == 0) throw new FileSystemException(made.toString(), null, "No space left on device");
            });
            FabricException e = assertThrows(FabricException.class, creation::create, "step " + failing);
            assertEquals("the pool cannot be created (No space left on device): " + pool(), e.getMessage());
            assertNothingLeft(folder);
        }
        creation(_ -> {}).create();
        Fabric.open("shm:" + pool() + "?mode=attach").close();
    }

    /** Space runs out while a file is written, or inodes run out when one is created, on a real small file system. */
    @Test
    void aFullFileSystemIsLeftAsItWas() throws IOException {
        int refused = 0;
        List<String> limits = new ArrayList<>();
        for (int kilobytes = 4; kilobytes <= 4096; kilobytes += 340) limits.add("size=" + kilobytes + "k");
        for (int files = 2; files <= 14; files++) limits.add("size=8m,nr_inodes=" + files);
        for (String limit : limits) {
            try (SmallTmpfs small = SmallTmpfs.mount(folder.resolve("small"), limit)) {
                assumeTrue(small != null, "no right to mount a tmpfs");
                Path pool = small.path().resolve("pool");
                try (Fabric fabric = Fabric.open("shm:" + pool + "?nodes=" + NODES)) {
                    fabric.attach().close();
                } catch (FabricException e) {
                    refused++;
                    assertTrue(e.getMessage().contains("No space left on device"), limit + ": " + e.getMessage());
                    assertTrue(e.getMessage().contains(pool.toString()), limit + ": " + e.getMessage());
                    // The pool is complete, and only a further session had no space.
                    if (e.getMessage().startsWith("a session cannot") && Files.exists(pool)) continue;
                    assertNothingLeft(small.path());
                }
            }
        }
        assertTrue(refused >= 15, "refused " + refused);
    }

    /** Only an empty pool that no living process has open is withdrawn. */
    @Test
    void aDiscardedPoolIsRemovedUnlessItIsOpenElsewhere() throws IOException {
        try (Fabric other = Fabric.open("shm:" + pool() + "?nodes=1");
                Session session = other.attach()) {
            try (Fabric fabric = Fabric.open("shm:" + pool())) {
                fabric.discard();
            }
            assertTrue(other.control(0).sessions().length == 1 && Files.isDirectory(pool()), "still in use");
            assertEquals(session.number(), other.control(0).sessions()[0]);
        }
        assertTrue(Files.isDirectory(pool()), "an ordinary close keeps the pool");
        try (Fabric fabric = Fabric.open("shm:" + pool())) {
            fabric.attach();
            fabric.discard();
        }
        assertNothingLeft(folder);
    }

    private ShmPoolCreation creation(ShmPoolCreation.Steps steps) {
        return new ShmPoolCreation(
                pool(), new Superblock(NODES, Id128.fromHex("0".repeat(31) + "1"), FlushMode.NONE, true, 0), steps);
    }

    private static void assertNothingLeft(Path folder) throws IOException {
        try (var entries = Files.walk(folder)) {
            List<Path> left = entries.filter(entry -> !entry.equals(folder)).toList();
            for (Path file : left) {
                if (file.endsWith("small") && Files.isDirectory(file)) continue;
                assertEquals("pool.lock", file.getFileName().toString(), "left: " + left);
                assertEquals(0, Files.size(file));
            }
        }
    }

    private static void remove(Path pool) throws IOException {
        try (var entries = Files.walk(pool)) {
            for (Path entry : entries.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(entry);
        }
    }
}
