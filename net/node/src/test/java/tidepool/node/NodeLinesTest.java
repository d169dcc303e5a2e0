package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.memory.RegionLayout;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.node.journal.JournalRecovery;
import tidepool.node.journal.NodeImage;
import tidepool.node.journal.PersistentMapping;
import tidepool.node.journal.RegionFiles;
import tidepool.node.journal.SystemDisk;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.NodeStatus;

/** A node whose folder is persistent memory: a FLUSH writes back exactly the lines that were written. */
class NodeLinesTest {
    @TempDir
    Path dir;

    private ForgetfulLines lines = new ForgetfulLines();

    private MemoryServer start(Path folder, PersistentMapping mapping, long checkpointBytes) {
        JournalOptions options =
                new JournalOptions(Durability.STRICT, 64 << 20, checkpointBytes, SystemDisk::new, null, mapping);
        return MemoryServer.start(
                NodeOptions.onLoopback("memory-0", 0, 64 << 20).withDir(folder).withJournal(options));
    }

    private MemoryServer start(Path folder) {
        return start(folder, lines, 256 << 20);
    }

    /** Copies the files as a kill leaves them. */
    private Path killed(Path folder) throws IOException {
        Path copy = Files.createTempDirectory(dir, "killed");
        for (String name : new String[] {"journal", RegionFiles.FOLDER}) {
            Files.createDirectories(copy.resolve(name));
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(name))) {
                for (Path file : files)
                    if (!file.getFileName().toString().equals("place"))
                        Files.copy(file, copy.resolve(name).resolve(file.getFileName()));
            }
        }
        return copy;
    }

    /** Copies the files as a loss of power leaves them: some of the unforced words survive. */
    private Path withoutPower(Path folder, SplittableRandom random, double survives) throws IOException {
        Path copy = killed(folder);
        lines.powerFails(copy.resolve(RegionFiles.FOLDER), random, survives);
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

    private static long count(MemoryServer server, String label) {
        return server.status().count(label).orElseThrow();
    }

    /** Regions hold unencrypted data, so their folder is closed to other users with any umask. */
    @Test
    void whatRegionsAreMadeOfIsForItsOwnerAlone() throws IOException {
        Path folder = dir.resolve("node");
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            client.region(1 << 20);
        }
        Path regions = folder.resolve(RegionFiles.FOLDER);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(regions)));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(regions)) {
            for (Path file : files)
                assertEquals(
                        "rw-------",
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
                        file.toString());
        }
    }

    @Test
    void aFlushForcesTheLinesThatWereWrittenAndNoOthers() throws IOException {
        try (MemoryServer server = start(dir.resolve("node"));
                RawClient client = RawClient.attached(server, "bank", 1)) {
            long handle = client.region(1 << 20);
            assertEquals(0, lines.forced(), "what control calls change is in the journal");
            client.round(new Verbs().flush());
            assertEquals(0, lines.forced(), "nothing was written");
            client.round(new Verbs()
                    .write(handle, 64, 1) // a line
                    .write(handle, 120, 2, 3) // that line, and the next
                    .cas(handle, 1024, 0, 7) // a third
                    .cas(handle, 2048, 1, 7) // changes nothing
                    .faa(handle, 4096, 1) // a fourth
                    .maskedFaa(handle, 4104, 1, 0)); // the fourth again
            assertEquals(0, lines.forced(), "nobody has flushed");
            assertEquals(0, client.round(new Verbs().flush()).status());
            assertEquals(4, lines.forced());
            client.round(new Verbs().flush());
            assertEquals(4, lines.forced(), "they are forced once");
            long[] large = new long[40];
            assertEquals(
                    0,
                    client.round(new Verbs().write(handle, 8192, large).flush()).status());
            assertEquals(4 + 5, lines.forced());
            assertEquals(4 + 5, count(server, NodeStatus.LINES));
        }
    }

    /** A client that relies on persistence in the order of execution is told that the node does not keep this order. */
    @Test
    void aNodeOfLinesSaysThatItKeepsNoOrder() throws IOException {
        try (MemoryServer server = start(dir.resolve("lines"));
                MemoryServer journal = start(dir.resolve("journal"), null, 256 << 20)) {
            assertFalse(persistsInOrder(server));
            assertTrue(persistsInOrder(journal));
        }
    }

    private static boolean persistsInOrder(MemoryServer server) {
        try (Fabric fabric = Fabric.open("tcp://127.0.0.1:" + server.address().getPort() + "/bank")) {
            return fabric.persistsInOrder();
        }
    }

    @Test
    void whatVerbsWriteIsNotInTheJournal() throws IOException {
        try (MemoryServer server = start(dir.resolve("node"));
                RawClient client = RawClient.attached(server, "bank", 1)) {
            long handle = client.region(1 << 20);
            long before = count(server, "journal-bytes");
            for (int i = 0; i < 100; i++)
                client.round(new Verbs()
                        .write(handle, i * 128L, 1, 2, 3, 4, 5, 6, 7, 8)
                        .flush());
            assertTrue(count(server, "journal-bytes") - before < 1000, "a mark or two, and not 6,400 bytes");
            assertEquals(100, lines.forced());
        }
    }

    @Test
    void unflushedLinesAreForcedBeforeTheyAreTooManyToRemember() throws IOException {
        try (MemoryServer server = start(dir.resolve("node"));
                RawClient client = RawClient.attached(server, "bank", 1)) {
            long handle = client.region(4 << 20);
            for (int i = 0; i < UnflushedLines.MAX_LINES; i += 256) {
                Verbs verbs = new Verbs();
                for (int k = 0; k < 256; k++) verbs.write(handle, (i + k) * 128L, 1);
                client.round(verbs);
            }
            assertEquals(0, lines.forced());
            client.round(new Verbs().write(handle, UnflushedLines.MAX_LINES * 128L, 1));
            assertEquals(UnflushedLines.MAX_LINES, lines.forced());
            client.round(new Verbs().flush());
            assertEquals(UnflushedLines.MAX_LINES + 1, lines.forced());
        }
    }

    /**
     * Returns whether the words of the first 64 lines are right after a loss of power: flushed words are there, others
     * have the old or the new value.
     */
    private boolean outlasts(int seed, int[] seen, ForgetfulLines mapping) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        lines = mapping;
        Path folder = Files.createTempDirectory(dir, "node");
        RawClient.Answer region;
        Path left;
        int words = 512;
        long[] flushed = new long[words];
        long[] last = new long[words];
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 16);
            long handle = handle(client, region);
            for (int i = 1; i <= 200; i++) {
                int at = random.nextInt(words);
                last[at] = i;
                Verbs verbs = new Verbs().write(handle, at * 8L, i);
                boolean flush = random.nextInt(20) == 0;
                assertEquals(0, client.round(flush ? verbs.flush() : verbs).status());
                if (flush) flushed = last.clone();
            }
            left = withoutPower(folder, random, 0.5);
        }
        lines = new ForgetfulLines();
        try (MemoryServer server = start(left);
                RawClient client = again(server, 9)) {
            assertEquals(1, client.control(ControlCode.POWER_LOSSES).word(0));
            RawClient.Answer read = client.round(new Verbs().read(handle(client, region), 0, words * 8L));
            boolean all = true;
            for (int i = 0; i < words; i++) {
                boolean old = read.word(i) == flushed[i];
                boolean later = read.word(i) == last[i];
                if (flushed[i] != last[i]) seen[old ? 0 : 1]++;
                all &= old || later;
            }
            return all;
        }
    }

    @Test
    void ofWhatWasNotFlushedAnySubsetIsLostAndNothingElse() throws IOException {
        int[] seen = new int[2];
        for (int seed = 1; seed <= 12; seed++) assertTrue(outlasts(seed, seen, new ForgetfulLines()), "seed " + seed);
        assertTrue(seen[0] > 0 && seen[1] > 0, "some words are lost and some are not: " + seen[0] + ", " + seen[1]);
    }

    @Test
    void aMappingThatDoesNotForceIsCaught() throws IOException {
        boolean caught = false;
        for (int seed = 1; seed <= 12 && !caught; seed++) {
            ForgetfulLines lazy = new ForgetfulLines();
            lazy.isLazy = true;
            caught = !outlasts(seed, new int[2], lazy);
        }
        assertTrue(caught, "what was flushed is lost, and that shows");
    }

    @Test
    void memoryThatIsHandedOutAgainIsZeroWhateverIsLost() throws IOException {
        Path folder = dir.resolve("node");
        RawClient.Answer region;
        Path left;
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 16);
            RawClient.Answer extent = client.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 1 << 16, 0);
            client.round(new Verbs().write(handle(client, region), 4096, 42).flush());
            client.control(ControlCode.FREE, region.word(0), region.word(1), extent.word(0), extent.word(1));
            assertEquals(
                    0,
                    client.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 1 << 16, 0)
                            .status());
            assertEquals(1 + 2 * 1024, lines.forced(), "two times 64 KiB, and the line");
            left = withoutPower(folder, new SplittableRandom(1), 0);
        }
        try (MemoryServer server = start(left);
                RawClient client = again(server, 9)) {
            assertEquals(
                    0,
                    client.round(new Verbs().read(handle(client, region), 4096, 8))
                            .word(0));
            assertEquals(
                    ControlStatus.FULL,
                    client.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 4096, 0)
                            .status(),
                    "who has it still has it");
        }
    }

    @Test
    void aNodeThatWasStoppedHasLostNothing() throws IOException {
        Path folder = dir.resolve("node");
        RawClient.Answer region;
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            client.round(new Verbs().write(handle(client, region), 64, 42)); // never flushed
        }
        lines = new ForgetfulLines();
        try (MemoryServer server = start(folder);
                RawClient client = again(server, 9)) {
            assertEquals(0, client.control(ControlCode.POWER_LOSSES).word(0));
            assertEquals(
                    42,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
        }
        try (NodeImage image = image(folder)) {
            var whole = image.pools().get(0).regions().get(0);
            assertEquals(42, Words.plain(whole, Words.plain(whole, RegionLayout.DATA) + 64), "pool verify sees it too");
        }
    }

    private static NodeImage image(Path folder) throws IOException {
        SystemDisk journal = new SystemDisk(folder.resolve("journal"));
        NodeImage image = new NodeImage(1 << 30, RegionFiles.seen(folder, journal));
        JournalRecovery.read(journal, image);
        return image;
    }

    /** The file of a freed region is removed when the journal has the deletion, or else at the next start. */
    @Test
    void filesOfFreedRegionsGo() throws IOException {
        Path folder = dir.resolve("node");
        Path file = folder.resolve(RegionFiles.FOLDER).resolve("region-00-0001");
        RawClient.Answer kept;
        byte[] beforeItWent;
        Path left;
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            kept = client.control(ControlCode.CREATE_REGION, 1 << 16);
            RawClient.Answer freed = client.control(ControlCode.CREATE_REGION, 1 << 16);
            beforeItWent = Files.readAllBytes(file);
            client.round(new Verbs().write(handle(client, freed), 64, 1)); // forgotten with the region
            assertEquals(
                    0,
                    client.control(ControlCode.FREE_REGION, freed.word(0), freed.word(1))
                            .status());
            client.control(ControlCode.STATISTICS); // runs after the removal on the control thread
            assertFalse(Files.exists(file));
            client.round(new Verbs().write(handle(client, kept), 64, 42).flush());
            assertEquals(1, lines.forced());
            left = killed(folder);
        }
        Path regions = left.resolve(RegionFiles.FOLDER);
        Files.write(regions.resolve("region-00-0001"), beforeItWent);
        Files.writeString(regions.resolve("region-00-0002.new"), "half of a region");
        Files.writeString(regions.resolve("notes"), "somebody's");
        try (MemoryServer server = start(left);
                RawClient client = again(server, 9)) {
            assertEquals(
                    42,
                    client.round(new Verbs().read(handle(client, kept), 64, 8)).word(0));
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(regions)) {
            for (Path one : files)
                assertTrue(
                        one.endsWith("region-00-0000") || one.endsWith("notes"),
                        one.getFileName().toString());
        }
    }

    /** Extents are allocated and freed until checkpoints were made. Then header, map and data are as they were. */
    @Test
    void checkpointsHaveWhatTheJournalHadAndNoData() throws IOException {
        Path folder = dir.resolve("node");
        RawClient.Answer region;
        RawClient.Answer before;
        Path left;
        try (MemoryServer server = start(folder, lines, 4000);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            assertEquals(
                    0,
                    client.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 4096, 0)
                            .word(0));
            client.round(new Verbs().write(handle(client, region), 64, 42).flush());
            int made = 0;
            while (count(server, "journal-checkpoints") < 3 && made++ < 100_000) {
                RawClient.Answer extent = client.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 4096, 0);
                if (made % 50 != 0 || made > 5000)
                    client.control(ControlCode.FREE, region.word(0), region.word(1), extent.word(0), extent.word(1));
            }
            assertTrue(count(server, "journal-checkpoints") >= 3);
            before = client.control(ControlCode.STATISTICS);
            while (isCheckpointUnderWay(folder)) client.control(ControlCode.STATISTICS);
            left = withoutPower(folder, new SplittableRandom(3), 0.5);
        }
        lines = new ForgetfulLines();
        try (MemoryServer server = start(left);
                RawClient client = again(server, 9)) {
            RawClient.Answer after = client.control(ControlCode.STATISTICS);
            for (int i = 0; i < 6; i++) assertEquals(before.word(i), after.word(i), "word " + i);
            assertEquals(
                    42,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
        }
    }

    private static boolean isCheckpointUnderWay(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve("journal"), "*.new")) {
            return files.iterator().hasNext();
        }
    }

    // ---- refusals

    private String refusal(Path folder) {
        return assertThrows(RuntimeException.class, () -> start(folder).close()).getMessage();
    }

    private Path folderWithTwoRegions(String name) throws IOException {
        Path folder = dir.resolve(name);
        try (MemoryServer server = start(folder);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            client.region(1 << 16);
            client.region(1 << 16);
        }
        return folder;
    }

    @Test
    void filesThatAreNotTheNodesAreRefused() throws IOException {
        Path folder = folderWithTwoRegions("node");
        Path first = folder.resolve(RegionFiles.FOLDER).resolve("region-00-0000");
        Path second = folder.resolve(RegionFiles.FOLDER).resolve("region-00-0001");
        byte[] right = Files.readAllBytes(first);

        Files.copy(second, first, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertTrue(refusal(folder).contains("it has the name of another region"), refusal(folder));

        Path other = folderWithTwoRegions("other");
        Files.write(first, Files.readAllBytes(other.resolve(RegionFiles.FOLDER).resolve("region-00-0000")));
        assertTrue(refusal(folder).contains("a file of another node's journal"), refusal(folder));

        byte[] wrong = right.clone();
        wrong[20] ^= 1;
        Files.write(first, wrong);
        assertTrue(refusal(folder).contains("the header of a file is not whole"), refusal(folder));

        Files.write(first, java.util.Arrays.copyOf(right, right.length - 4096));
        assertTrue(refusal(folder).contains("was cut or extended"), refusal(folder));

        Files.delete(first);
        assertTrue(refusal(folder).contains("the file of region 0 is missing"), refusal(folder));

        Files.write(first, right);
        start(folder).close();
    }

    @Test
    void aFolderStaysWhatItIs() throws IOException {
        Path folder = folderWithTwoRegions("node");
        lines.fault = "no dax";
        assertTrue(refusal(folder).contains("cannot be mapped as such (no dax)"), refusal(folder));
        String weaker = assertThrows(
                        RuntimeException.class,
                        () -> MemoryServer.start(NodeOptions.onLoopback("m", 0, 64 << 20)
                                .withDir(folder)
                                .withJournal(JournalOptions.of(Durability.FLUSH))))
                .getMessage();
        assertTrue(weaker.contains("start the node with --durability strict"), weaker);

        Path journal = folderWithTwoRegions("journal-alone"); // made without persistent memory
        assertFalse(Files.exists(journal.resolve(RegionFiles.FOLDER)));
        lines.fault = null; // persistent memory is available from now on
        try (MemoryServer server = start(journal)) {
            assertTrue(server.status().count(NodeStatus.LINES).isEmpty(), "its data is in its journal");
        }
    }

    // ---- real persistent memory

    @Test
    void aNewFolderIsPersistentMemoryIfItsFileSystemSaysSo() {
        String fault = PersistentMapping.system().fault(dir);
        try (MemoryServer server = start(dir.resolve("node"), PersistentMapping.system(), 256 << 20)) {
            assertEquals(fault == null, server.status().count(NodeStatus.LINES).isPresent(), "fault: " + fault);
        }
    }

    @Test
    void linesOfRealPersistentMemoryOutlastTheNode() throws IOException {
        String fault = PersistentMapping.system().fault(dir);
        assumeTrue(fault == null, "the temporary folder is on no persistent memory, so lines are not tried: " + fault);
        Path folder = dir.resolve("node");
        Path left;
        RawClient.Answer region;
        try (MemoryServer server = start(folder, PersistentMapping.system(), 256 << 20);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            client.round(new Verbs().write(handle(client, region), 64, 42).flush());
            left = killed(folder);
        }
        try (MemoryServer server = start(left, PersistentMapping.system(), 256 << 20);
                RawClient client = again(server, 9)) {
            assertEquals(
                    42,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
        }
    }
}
