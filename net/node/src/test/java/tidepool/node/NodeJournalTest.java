package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.memory.AccessCode;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.node.metrics.NodeHealth;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;

/** A node with a journal: flushed data is there after a restart, and the node reports if other data may be missing. */
class NodeJournalTest {
    @TempDir
    Path dir;

    private FaultyDisk disk;

    private MemoryServer start(Path folder, Durability durability, long segmentBytes, long checkpointBytes) {
        JournalOptions options = new JournalOptions(
                durability, segmentBytes, checkpointBytes, path -> disk = new FaultyDisk(path), null);
        return MemoryServer.start(
                NodeOptions.onLoopback("memory-0", 0, 64 << 20).withDir(folder).withJournal(options));
    }

    private MemoryServer start(Path folder) {
        return start(folder, Durability.STRICT, 64 << 20, 256 << 20);
    }

    /**
     * Copies the files as a kill leaves them, without {@code place}, as if an administrator declared them the newest.
     */
    private Path killed(Path folder) throws IOException {
        Path copy = Files.createTempDirectory(dir, "killed");
        Files.createDirectories(copy.resolve("journal"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve("journal"))) {
            for (Path file : files)
                if (!file.getFileName().toString().equals("place"))
                    Files.copy(file, copy.resolve("journal").resolve(file.getFileName()));
        }
        return copy;
    }

    private static long handle(RawClient client, RawClient.Answer region) throws IOException {
        return client.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                .word(0);
    }

    private static RawClient again(MemoryServer server, int session) throws IOException {
        RawClient client = RawClient.known(server, "bank");
        assertEquals(0, client.attach(session).status());
        assertEquals(0, client.control(ControlCode.OPEN_LINK, 0).status());
        return client;
    }

    @Test
    void everyVerbThatWasFlushedIsThereAfterAKill() throws IOException {
        for (Durability durability : new Durability[] {Durability.FLUSH, Durability.STRICT}) {
            Path folder = dir.resolve(durability.name().toLowerCase(Locale.ROOT));
            Path left;
            RawClient.Answer region;
            long extent;
            try (MemoryServer server = start(folder, durability, 64 << 20, 256 << 20);
                    RawClient client = RawClient.attached(server, "bank", 1)) {
                region = client.control(ControlCode.CREATE_REGION, 1 << 20);
                extent = client.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 5000, 0)
                        .word(0);
                long handle = handle(client, region);
                assertEquals(
                        0,
                        client.round(new Verbs()
                                        .write(handle, 64, 42, 43)
                                        .cas(handle, 128, 0, 7)
                                        .cas(handle, 128, 0, 8)
                                        .faa(handle, 136, 5)
                                        .faa(handle, 136, 6)
                                        .flush())
                                .status());
                left = killed(folder);
            }
            try (MemoryServer server = start(left, durability, 64 << 20, 256 << 20);
                    RawClient client = again(server, 9)) {
                long handle = handle(client, region);
                RawClient.Answer read =
                        client.round(new Verbs().read(handle, 64, 16).read(handle, 128, 16));
                assertEquals(42, read.word(0));
                assertEquals(43, read.word(1));
                assertEquals(7, read.word(2));
                assertEquals(11, read.word(3));
                assertEquals(1, client.control(ControlCode.POWER_LOSSES).word(0), "something may be lost");
                assertEquals(
                        ControlStatus.EPOCH,
                        RawClient.known(server, "bank")
                                .control(ControlCode.ATTACH, 1, 1, 2, 3)
                                .status(),
                        "who was in before is not any more");
                long next = client.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 5000, 0)
                        .word(0);
                assertTrue(next != extent, "what was given out stays given out");
                assertEquals(
                        0,
                        client.control(ControlCode.FREE, region.word(0), region.word(1), extent, 8192)
                                .status());
            }
        }
    }

    /** A FLUSH waits for a slow disk. Later rounds on its connection do not have to wait. */
    @Test
    void othersOvertakeAFlushThatWaitsForTheDisk() {
        try (MemoryServer server = start(dir.resolve("node"));
                Fabric fabric =
                        Fabric.open("tcp://127.0.0.1:" + server.address().getPort() + "/bank");
                Session session = fabric.attach()) {
            Lane lane = session.lane();
            Region region = lane.connect(0).open(fabric.control(0).createRegion(1 << 16));
            Round flushes = lane.round(2);
            Round reads = lane.round(1);
            MemorySegment landing = lane.landing(Words.BYTES);
            disk.gate = new CountDownLatch(1);
            flushes.write(region, 64, 42).flush(region.link()).post();
            for (int i = 0; i < 100; i++) {
                reads.read(region, 64, Words.BYTES, landing, 0).post().await();
                assertEquals(42, Words.plain(landing, 0));
            }
            assertFalse(flushes.isComplete(), "the disk has not said so");
            disk.gate.countDown();
            flushes.await();
            reads.read(region, 64, Words.BYTES, landing, 0).post().await();
        }
    }

    @Test
    void aNodeThatWasStoppedHasLostNothing() throws IOException {
        Path folder = dir.resolve("node");
        RawClient.Answer region;
        RawClient.Answer freed;
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            freed = client.control(ControlCode.CREATE_REGION, 1 << 20);
            client.round(new Verbs().write(handle(client, region), 64, 42)); // never flushed
            client.control(ControlCode.FREE_REGION, freed.word(0), freed.word(1));
        }
        try (MemoryServer server = start(folder);
                RawClient client = again(server, 9)) {
            assertEquals(0, client.control(ControlCode.POWER_LOSSES).word(0));
            assertEquals(
                    42,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
            assertEquals(
                    ControlStatus.KEY,
                    client.control(ControlCode.OPEN_REGION, 0, freed.word(0), freed.word(1))
                            .status());
        }
    }

    /** Segments are short and checkpoints are frequent while verbs are executed. */
    @Test
    void checkpointsAndSegmentsComeAndGoUnderLoad() throws IOException {
        Path folder = dir.resolve("node");
        RawClient.Answer region;
        Path left;
        int rounds = 150;
        try (MemoryServer server = start(folder, Durability.STRICT, 16_384, 40_000);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            long handle = handle(client, region);
            for (int i = 0; i < rounds; i++) {
                Verbs verbs = new Verbs();
                for (int k = 0; k < 8; k++) verbs.write(handle, (i * 64L + k * 8) % (1 << 15), i, k);
                assertEquals(0, client.round(verbs.flush()).status());
            }
            // Verbs continue until a checkpoint was made.
            for (int i = 0;
                    i < 100_000 && server.status().count("journal-checkpoints").orElse(0) == 0;
                    i++) client.round(new Verbs().write(handle, 1 << 16, i).flush());
            assertTrue(server.status().count("journal-checkpoints").orElse(0) > 0, "checkpoints were made");
            left = killed(folder);
        }
        try (MemoryServer server = start(left);
                RawClient client = again(server, 9)) {
            long handle = handle(client, region);
            int last = rounds - 1;
            RawClient.Answer read = client.round(new Verbs().read(handle, (last * 64L) % (1 << 15), 64));
            for (int k = 0; k < 8; k++) assertEquals(last, read.word(k));
        }
    }

    @Test
    void aFullDiskRefusesFlushesAndIsForgottenWhenThereIsSpaceAgain() throws IOException, InterruptedException {
        Path folder = dir.resolve("node");
        RawClient.Answer region;
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            long handle = handle(client, region);
            client.round(new Verbs().write(handle, 64, 42).flush());
            disk.isFull = true;
            RawClient.Answer full =
                    client.round(new Verbs().write(handle, 64, 43).flush());
            assertEquals(AccessCode.SPACE, full.status());
            assertEquals(1, full.count(), "the WRITE was done");
            client.control(ControlCode.OPEN_LINK, 0);
            handle = handle(client, region);
            assertEquals(43, client.round(new Verbs().read(handle, 64, 8)).word(0), "reading goes on");
            assertEquals(AccessCode.SPACE, client.round(new Verbs().flush()).status(), "refused at once");
            NodeHealth health = new NodeHealth(server);
            assertEquals("the node's disk is full", health.reason());
            assertEquals(
                    ControlStatus.FULL,
                    client.control(ControlCode.CREATE_REGION, 1 << 16).status());
            disk.isFull = false;
            int status;
            do {
                Thread.sleep(5);
                client.control(ControlCode.OPEN_LINK, 0);
                status = client.round(new Verbs().flush()).status();
            } while (status == AccessCode.SPACE);
            assertEquals(0, status);
            assertEquals(0, server.status().count("disk-full-now").orElse(-1));
            assertNull(health.reason());
            folder = killed(folder);
        }
        try (MemoryServer server = start(folder);
                RawClient client = again(server, 9)) {
            assertEquals(
                    43,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
        }
    }

    @Test
    void aForceThatFailsIsTheEnd() throws IOException {
        MemoryServer server = start(dir.resolve("node"));
        try (RawClient client = RawClient.attached(server, "bank", 1)) {
            long handle = handle(client, client.control(ControlCode.CREATE_REGION, 1 << 20));
            disk.forceFails = true;
            client.send(RawClient.round(0, 99, new Verbs().write(handle, 64, 42).flush()));
            IllegalStateException end = assertThrows(IllegalStateException.class, server::awaitEnd);
            assertInstanceOf(JournalFailedException.class, end.getCause());
            assertThrows(IOException.class, client::read, "nobody is told that it is kept");
        }
    }

    @Test
    void shortWritesAreGoneOnWith() throws IOException {
        Path folder = dir.resolve("node");
        RawClient.Answer region;
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            disk.maxAtOnce = 7;
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            client.round(new Verbs().write(handle(client, region), 64, 42).flush());
            folder = killed(folder);
        }
        try (MemoryServer server = start(folder);
                RawClient client = again(server, 9)) {
            assertEquals(
                    42,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
        }
    }

    @Test
    void mappedFilesAndJournalsAreNotTakenForEachOther() throws IOException {
        Path folder = dir.resolve("node");
        start(folder).close();
        FabricException e = assertThrows(
                FabricException.class,
                () -> MemoryServer.start(
                        NodeOptions.onLoopback("m", 0, 16 << 20).withDir(folder)));
        assertTrue(e.getMessage().contains("a journal lies here"), e.getMessage());
        Path mapped = dir.resolve("mapped");
        try (MemoryServer server = MemoryServer.start(
                        NodeOptions.onLoopback("m", 0, 16 << 20).withDir(mapped));
                RawClient client = RawClient.known(server, "bank")) {
            assertEquals(Frame.REPLY, client.control(ControlCode.EPOCH).kind());
        }
        e = assertThrows(FabricException.class, () -> start(mapped));
        assertTrue(e.getMessage().contains("pools in mapped files lie here"), e.getMessage());
    }

    /** Holds with any umask, and also if an earlier release has left the files open to other users. */
    @Test
    void whatAJournalIsMadeOfIsForItsOwnerAlone() throws IOException {
        Path folder = dir.resolve("node");
        Path journal = folder.resolve("journal");
        Files.createDirectories(journal);
        Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (MemoryServer server = start(folder, Durability.STRICT, 1 << 20, 2 << 20);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            RawClient.Answer region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            long handle = handle(client, region);
            for (int i = 0; i < 40; i++)
                client.round(new Verbs().write(handle, 0, new long[8000]).flush());
        }
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(journal)));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("node.lock"))));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(journal)) {
            for (Path file : files)
                assertEquals(
                        "rw-------",
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
                        file.toString());
        }
        start(dir.resolve("made")).close();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("made"))));
    }
}
