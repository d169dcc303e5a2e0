package tidepool.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.VerbKind;
import tidepool.fabric.direct.FlushMode;
import tidepool.memory.Handlers;

/**
 * The effect of FLUSH on pages. The kernel shows which pages of a mapping are dirty; a page that was forced is clean.
 * No power is cut here: the device is trusted to keep what it acknowledged.
 */
class ShmDurabilityTest {
    private static final int PAGES = 64;

    @TempDir
    Path folder;

    /** With durability=force, FLUSH answers when the device has the pages written before. */
    @Test
    void flushForcesWhatWasWrittenBefore() throws IOException {
        long[] dirty = dirtyBeforeAndAfterFlush("force");

        assumeTrue(dirty[0] >= PAGES * 4, "the kernel does not say what is dirty here: " + dirty[0] + " kB");
        assertEquals(0, dirty[1], "kB dirty after FLUSH");
    }

    /** With durability=none, FLUSH is only counted. */
    @Test
    void flushIsOnlyCountedOtherwise() throws IOException {
        long[] dirty = dirtyBeforeAndAfterFlush("none");

        assumeTrue(dirty[0] >= PAGES * 4, "the kernel does not say what is dirty here: " + dirty[0] + " kB");
        assertTrue(dirty[1] > 0 || dirty[0] == 0, "kB dirty after FLUSH: " + dirty[1]);
    }

    /** Atomics, handlers and chained work write too; a link that is flushed twice has nothing left to force. */
    @Test
    void everyKindOfWriteIsForced() throws IOException {
        try (Fabric fabric = Fabric.open("shm:" + folder.resolve("pool") + "?nodes=1&durability=force");
                Session session = fabric.attach()) {
            Id128 capability = fabric.control(0).createRegion(PAGES * 4096L);
            fabric.control(0).allocate(capability, 8192, session.number());
            Lane lane = session.lane();
            Link link = lane.connect(0);
            Region region = link.open(capability);
            MemorySegment landing = lane.landing(64);
            Round round = lane.round(8);
            round.flush(link).post().await();
            assertEquals(0, dirtyKilobytes("region-0"), "creating and allocating leave nothing to force");
            round.fetchAndAdd(region, 0, 1, landing, 0)
                    .compareAndSwap(region, 8192, 0, 1, landing, 0)
                    .maskedFetchAndAdd(region, 16384, 1, 0, landing, 0)
                    .write(region, PAGES * 4096L - 8, 1)
                    .post()
                    .await();
            long before = dirtyKilobytes("region-0");
            round.flush(link).flush(link).post().await();

            assumeTrue(before > 0, "the kernel does not say what is dirty here");
            assertEquals(0, dirtyKilobytes("region-0"));
            assertEquals(3, lane.traffic().verbs(VerbKind.FLUSH));
        }
    }

    /** A handler may write anywhere; a FLUSH after the CALL covers that too. */
    @Test
    void writesOfHandlersAreForced() throws IOException {
        Handlers handlers = new Handlers().with(9, (node, session, request, reply, listener) -> {
            node.region(0).data().set(Words.U64, 4096, 1);
            return 0;
        });
        ShmOptions options = new ShmOptions(1, FlushMode.FORCE, true, ShmOptions.Mode.CREATE, 0);
        try (Fabric fabric = ShmFabric.open(folder.resolve("pool"), options, handlers);
                Session session = fabric.attach()) {
            fabric.control(0).createRegion(PAGES * 4096L);
            Lane lane = session.lane();
            Link link = lane.connect(0);
            MemorySegment landing = lane.landing(64);
            Round round = lane.round(2);
            round.call(link, 9, landing, 0, 8, landing, 8, 8).post().await();
            long before = dirtyKilobytes("region-0");
            round.flush(link).post().await();

            assumeTrue(before > 0, "the kernel does not say what is dirty here");
            assertEquals(0, dirtyKilobytes("region-0"));
        }
    }

    private long[] dirtyBeforeAndAfterFlush(String durability) throws IOException {
        try (Fabric fabric = Fabric.open("shm:" + folder.resolve("pool") + "?nodes=1&durability=" + durability);
                Session session = fabric.attach()) {
            Id128 capability = fabric.control(0).createRegion(PAGES * 4096L);
            Lane lane = session.lane();
            Link link = lane.connect(0);
            Region region = link.open(capability);
            MemorySegment source = lane.landing(PAGES * 4096L);
            source.fill((byte) 1);
            Round round = lane.round(1);
            round.write(region, 0, PAGES * 4096L, source, 0).post().await();
            long before = dirtyKilobytes("region-0");
            round.flush(link).post().await();
            return new long[] {before, dirtyKilobytes("region-0")};
        }
    }

    /** Returns the kilobytes that /proc/self/smaps calls dirty in mappings of this file. */
    private static long dirtyKilobytes(String file) throws IOException {
        long sum = 0;
        boolean ours = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) ours = line.endsWith("/" + file);
            else if (ours && line.matches("(Shared|Private)_Dirty:.*"))
                sum += Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
        return sum;
    }
}
