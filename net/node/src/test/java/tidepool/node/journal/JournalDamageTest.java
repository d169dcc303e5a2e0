package tidepool.node.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.node.journal.JournalException.Reason;
import tidepool.wire.Shortfall;

/** Damaged files: every flipped bit, every length, exchanged files. Damaged data is never served. */
class JournalDamageTest {
    private final SimulatedDisk sound = new SimulatedDisk();
    private long last;

    @BeforeEach
    void write() throws IOException {
        try (JournalScript script = new JournalScript(sound, JournalScript.Kind.GROWING, 5)) {
            script.run();
            try (NodeImage image = new NodeImage(1 << 30)) {
                last = JournalRecovery.read(sound, image).sequence();
            }
        }
    }

    /** The end record distinguishes a flipped bit in the last block from a torn block. */
    @Test
    void everyFlippedBitIsFoundOrHarmless() throws IOException {
        int flips = 0;
        int harmless = 0;
        for (String name : sound.names()) {
            int length = sound.content(name).length;
            // All bits of a small file, and at least one bit of each byte of a larger one.
            for (int bit = 0; bit < length * 8; bit += length < 600 ? 1 : 7) {
                SimulatedDisk disk = sound.copy();
                byte[] bytes = disk.content(name).clone();
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
                disk.content(name, bytes);
                flips++;
                try (NodeImage image = new NodeImage(1 << 30)) {
                    JournalRecovery found = JournalRecovery.read(disk, image);
                    assertTrue(
                            found.sequence() == last || found.isShort(),
                            "bit " + bit + " of " + name + " is not noticed");
                    if (!found.isShort()) harmless++;
                } catch (JournalException e) {
                    assertTrue(e.getMessage().contains("sim/"), "the file is named: " + e.getMessage());
                }
            }
        }
        assertTrue(flips > 5_000, "flips=" + flips);
        assertTrue(harmless < flips / 10, "most are found: harmless=" + harmless + " of " + flips);
    }

    @Test
    void aFileThatWasCutIsFound() throws IOException {
        for (String name : sound.names()) {
            boolean isLast = name.equals(sound.names().stream()
                    .filter(other -> other.startsWith("segment"))
                    .reduce((a, b) -> b)
                    .orElseThrow());
            byte[] whole = sound.content(name);
            for (int length = 0; length < whole.length; length += isLast ? 1 : 5) {
                SimulatedDisk disk = sound.copy();
                disk.content(name, Arrays.copyOf(whole, length));
                try (NodeImage image = new NodeImage(1 << 30)) {
                    JournalRecovery found = JournalRecovery.read(disk, image);
                    boolean isRecord = name.equals("end") && length > JournalLayout.SECTOR;
                    assertTrue(found.isShort() || isRecord, name + " cut to " + length + " is served");
                    assertTrue(!found.isShort() || found.shortage().contains("sim/"), found.shortage());
                } catch (JournalException e) {
                    assertTrue(e.getMessage().contains("sim/"), e.getMessage());
                }
            }
        }
    }

    @Test
    void filesOfAnotherNodeAreRefused() throws IOException {
        SimulatedDisk other = new SimulatedDisk();
        new JournalStart(other, JournalOptions.of(Durability.STRICT), new NodeImage(1 << 30), () -> new Id128(8, 8));
        String segment = last("segment");
        SimulatedDisk disk = sound.copy();
        disk.content(segment, other.content("segment-0000000000000001"));
        refused(disk, Reason.FOREIGN, "another node's journal");
    }

    @Test
    void aCopyOfTheFolderIsRefusedUntilTheOperatorSaysThatItIsTheNewest() throws IOException {
        SimulatedDisk disk = sound.copy();
        for (String name : disk.names()) disk.replace(name, disk.content(name));
        refused(disk, Reason.FOREIGN, "is a copy");
        disk.remove("place");
        try (NodeImage image = new NodeImage(1 << 30)) {
            JournalStart start =
                    new JournalStart(disk, JournalOptions.of(Durability.STRICT), image, () -> JournalScript.NODE);
            assertEquals(1 + lossesOf(sound), start.powerLosses(), "something may be lost");
        }
        try (NodeImage image = new NodeImage(1 << 30)) {
            JournalRecovery.read(disk, image); // the folder counts as the original now
        }
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        SimulatedDisk disk = sound.copy();
        disk.remove(last("checkpoint"));
        refused(disk, Reason.MISSING, "a file is gone");
        disk = sound.copy();
        for (String name : sound.names()) if (name.startsWith("segment")) disk.remove(name);
        refused(disk, Reason.MISSING, "there is no journal");
        disk = sound.copy();
        disk.remove("identity");
        refused(disk, Reason.MISSING, "sim/identity");
        disk = sound.copy();
        disk.remove(last("segment"));
        disk.remove(disk.names().stream()
                .filter(name -> name.startsWith("segment"))
                .reduce((a, b) -> b)
                .orElseThrow());
        refused(disk, Reason.MISSING, "segment-");
    }

    @Test
    void aNewerFormatIsLeftAlone() throws IOException {
        SimulatedDisk disk = sound.copy();
        FileHeader header =
                new FileHeader(JournalLayout.SEGMENT_MAGIC, JournalScript.NODE, 99, 1, 0, 1, JournalLayout.VERSION + 1);
        SimulatedDisk.File file = disk.create("x");
        header.write(file);
        disk.content(last("segment"), disk.content("x"));
        disk.remove("x");
        refused(disk, Reason.NEWER, "start the program that wrote it");
    }

    /** Blocks of an older life, or of another segment, have other seeds. */
    @Test
    void aStaleBlockIsNotTaken() throws IOException {
        String segment = last("segment");
        byte[] whole = sound.content(segment);
        for (String other : sound.names()) {
            if (!other.startsWith("segment") || other.equals(segment)) continue;
            SimulatedDisk disk = sound.copy();
            byte[] stale = sound.content(other);
            byte[] mixed = Arrays.copyOf(whole, whole.length + stale.length - (int) JournalLayout.FILE_BYTES);
            System.arraycopy(
                    stale,
                    (int) JournalLayout.FILE_BYTES,
                    mixed,
                    whole.length,
                    stale.length - (int) JournalLayout.FILE_BYTES);
            disk.content(segment, mixed);
            try (NodeImage image = new NodeImage(1 << 30)) {
                JournalRecovery found = JournalRecovery.read(disk, image);
                assertEquals(last, found.sequence());
                assertEquals(whole.length, found.endAt());
            }
        }
    }

    /** Garbage of any kind after the end, or in place of any file, is refused or ignored. */
    @Test
    void garbageIsNotBelieved() throws IOException {
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            SimulatedDisk disk = sound.copy();
            String name = sound.names().stream()
                    .skip(random.nextInt(sound.names().size()))
                    .findFirst()
                    .orElseThrow();
            byte[] garbage = new byte[random.nextInt(2000)];
            random.nextBytes(garbage);
            disk.content(name, garbage);
            if (name.equals("end"))
                assertTrue(JournalRecovery.read(disk, new NodeImage(1 << 30)).isShort(), name);
            else assertThrows(JournalException.class, () -> JournalRecovery.read(disk, new NodeImage(1 << 30)), name);
        }
    }

    private String last(String kind) {
        return sound.names().stream()
                .filter(name -> name.startsWith(kind))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    private static long lossesOf(SimulatedDisk disk) throws IOException {
        try (NodeImage image = new NodeImage(1 << 30)) {
            return JournalRecovery.read(disk, image).powerLosses();
        }
    }

    /**
     * In a segment that has its full length from the beginning, zeros are free space. A missing forced block is damage.
     */
    @Test
    void zerosAfterTheLastBlockAreNoDamageAndBeforeAMarkTheyAre() throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        try (NodeImage image = new NodeImage(1 << 30)) {
            SegmentWriter writer =
                    new JournalStart(disk, JournalScript.Kind.SPARE.options, image, () -> JournalScript.NODE).writer();
            EntryBuffer block = new EntryBuffer();
            block.life(new Life(1, 1, 0, Shortfall.NONE));
            writer.appendForced(block); // goes to the spare segment, which was ready
            writer.appendForced(block);
            writer.appendForced(new EntryBuffer());
            // Not closed: closing would remove the next spare segment, and a crash does not.
        }
        String name = JournalFileNames.segment(2);
        assertEquals(900, disk.content(name).length, "it has its length from the beginning");
        SimulatedDisk left = disk.afterLoss(SimulatedDisk.Loss.EVERYTHING, new Random(0));
        try (NodeImage image = new NodeImage(1 << 30)) {
            JournalRecovery found = JournalRecovery.read(left, image);
            assertEquals(4, found.sequence());
            assertTrue(!found.isTorn() && found.endAt() < 900);
            byte[] bytes = left.content(name).clone();
            long second = found.endAt() - 2L * JournalLayout.BLOCK_BYTES - 24;
            Arrays.fill(bytes, (int) second, (int) second + 64, (byte) 0);
            left.content(name, bytes);
        }
        refused(left, Reason.DAMAGED, "is not what was written");
    }

    private static void refused(SimulatedDisk disk, Reason reason, String words) {
        JournalException e =
                assertThrows(JournalException.class, () -> JournalRecovery.read(disk, new NodeImage(1 << 30)));
        assertEquals(reason, e.reason(), e.getMessage());
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }
}
