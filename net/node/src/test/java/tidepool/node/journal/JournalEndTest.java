package tidepool.node.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Id128;
import tidepool.node.journal.SimulatedDisk.Loss;
import tidepool.testkit.Effort;
import tidepool.wire.Shortfall;

/**
 * The end record outside the segments proves the end of a journal: every cut is detected, and no crash looks like one.
 */
class JournalEndTest {
    private static final JournalOptions OPTIONS = JournalScript.Kind.GROWING.options;

    private final SimulatedDisk disk = new SimulatedDisk();
    private long nonce;

    /** Writes two lives, each in segments of its own: one that ended in order, one that was killed. */
    @BeforeEach
    void write() throws IOException {
        life(disk, true);
        life(disk, false);
    }

    private JournalStart begin(SimulatedDisk on) throws IOException {
        return new JournalStart(on, OPTIONS, new NodeImage(1 << 30), () -> new Id128(7, 2 * ++nonce));
    }

    private void life(SimulatedDisk on, boolean inOrder) throws IOException {
        JournalStart start = begin(on);
        EntryBuffer block = new EntryBuffer();
        if (start.life() == 1) {
            block.pool(0, "p", new Id128(1, 2), 0, 1);
            block.create(0, 0, 4096);
        }
        for (int i = 0; i < 20; i++) {
            block.word(0, 0, 8L * i, start.life());
            start.writer().append(block);
            start.writer().force();
            block.clear(1 << 20);
        }
        if (inOrder) {
            block.close();
            start.writer().append(block);
            start.writer().force();
            start.writer().closeEnd();
        }
        start.writer().close();
    }

    private static JournalRecovery read(SimulatedDisk from) throws IOException {
        return JournalRecovery.read(from, new NodeImage(1 << 30));
    }

    private static List<String> segments(SimulatedDisk of) {
        return of.names().stream().filter(name -> name.startsWith("segment")).toList();
    }

    @Test
    void whatWasKilledIsNotCalledShort() throws IOException {
        assertFalse(read(disk).isShort());
        assertNull(begin(disk).shortage());
        assertFalse(read(disk).isShort());
    }

    @Test
    void everyLengthOfTheLastSegmentBeforeItsEndIsShort() throws IOException {
        String last = segments(disk).getLast();
        byte[] whole = disk.content(last);
        for (int length = (int) JournalLayout.FILE_BYTES; length < whole.length; length++) {
            SimulatedDisk cut = disk.copy();
            cut.content(last, Arrays.copyOf(whole, length));
            JournalRecovery found = read(cut);
            assertTrue(found.isShort(), "cut to " + length);
            assertTrue(found.shortage().contains("sim/" + last), found.shortage());
            assertFalse(found.isClosed());
        }
    }

    @Test
    void newestSegmentsThatAreGoneAreMissed() throws IOException {
        List<String> all = segments(disk);
        for (int left = all.size() - 1; left > 0; left--) {
            SimulatedDisk cut = disk.copy();
            for (String gone : all.subList(left, all.size())) cut.remove(gone);
            assertTrue(read(cut).isShort(), left + " of " + all.size() + " segments");
        }
    }

    /** A cut is also detected after a life that ended in order: the cut removes the closing block too. */
    @Test
    void aCutAfterAnEndInOrderIsShort() throws IOException {
        SimulatedDisk closed = new SimulatedDisk();
        life(closed, true);
        assertTrue(read(closed).isClosed());
        String last = segments(closed).getLast();
        byte[] whole = closed.content(last);
        for (int length = (int) JournalLayout.FILE_BYTES; length < whole.length; length++) {
            closed.content(last, Arrays.copyOf(whole, length));
            assertTrue(read(closed).isShort() && !read(closed).isClosed(), "cut to " + length);
        }
    }

    @Test
    void segmentsOfAnotherTimeAreNotTheAcknowledgedOnes() throws IOException {
        SimulatedDisk other = disk.copy();
        String last = segments(disk).getLast();
        disk.content(last, Arrays.copyOf(disk.content(last), (int) JournalLayout.FILE_BYTES)); // a cut segment
        life(disk, false); // continues there, and writes other blocks under the numbers of the lost ones
        SimulatedDisk mixed = disk.copy();
        mixed.content("end", other.content("end"));
        assertTrue(read(mixed).isShort());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRecordThatIsGoneOrDamagedProvesNothing(boolean damaged) throws IOException {
        if (damaged) disk.content("end", new byte[2048]);
        else disk.remove("end");
        JournalRecovery found = read(disk);
        assertTrue(found.isShort());
        assertTrue(found.shortage().contains("sim/end"), found.shortage());
    }

    /** A flipped bit destroys one slot. The other slot has the record before it. */
    @Test
    void everyFlippedBitOfTheRecordLeavesOneThatIsTrue() throws IOException {
        byte[] whole = disk.content("end");
        for (int bit = 0; bit < whole.length * 8; bit += Effort.of(31, 7, 1)) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            disk.content("end", flipped);
            boolean isHeader = bit / 8 < JournalLayout.FILE_BYTES;
            try {
                assertEquals(isHeader, read(disk).isShort(), "bit " + bit);
            } catch (JournalException e) {
                assertTrue(isHeader && e.getMessage().contains("sim/end"), "bit " + bit + ": " + e.getMessage());
            }
        }
    }

    @Test
    void beingShortIsRememberedUntilAnAdministratorBelievesIt() throws IOException {
        disk.remove(segments(disk).getLast());
        JournalStart start = begin(disk);
        assertTrue(start.shortage() != null);
        Shortfall shortfall = start.lives().getLast().shortfall();
        assertEquals(start.powerLosses(), shortfall.at(), "it counts as a loss of power");
        start.writer().close();
        start = begin(disk);
        assertNull(start.shortage(), "nothing more is lost");
        assertEquals(shortfall, start.lives().getLast().shortfall(), "and what was lost still is");
        start.writer().close();
        JournalVerdict.believe(disk);
        start = begin(disk);
        assertTrue(start.isBelieved());
        assertTrue(start.lives().getLast().shortfall().isNone());
        start.writer().close();
        JournalVerdict.disbelieve(disk);
        assertTrue(read(disk).isShort());
        assertEquals(start.powerLosses() + 1, begin(disk).powerLosses());
    }

    @Test
    void aStartThatIsCutOffStaysShort() throws IOException {
        disk.remove(segments(disk).getLast());
        SimulatedDisk counted = disk.copy();
        begin(counted);
        for (int at = 0; at < counted.log().size(); at++)
            for (Loss loss : Loss.values()) {
                SimulatedDisk again = disk.copy();
                again.failAt(at, true);
                try {
                    begin(again);
                } catch (SimulatedDisk.PowerLost e) {
                    // The power was lost, as planned.
                }
                JournalStart next = begin(again.afterLoss(loss, new Random(at)));
                assertFalse(next.lives().getLast().shortfall().isNone(), "cut off at " + at + ", lost " + loss);
            }
    }

    @Test
    void livesAreTold() throws IOException {
        assertEquals(
                List.of(1L, 2L), read(disk).lives().stream().map(Life::number).toList());
        assertEquals(2, read(disk).lives().stream().map(Life::nonce).distinct().count());
    }

    /** A journal of version 1, which has no end record, can be opened and has an end record from then on. */
    @ParameterizedTest
    @EnumSource(Loss.class)
    void aJournalOfTheFirstVersionOpens(Loss loss) throws IOException {
        for (String name : disk.names()) disk.content(name, asVersion1(disk.content(name)));
        disk.remove("end");
        assertFalse(read(disk).isShort());
        SimulatedDisk counted = disk.copy();
        begin(counted);
        for (int at = 0; at <= counted.log().size(); at++) {
            SimulatedDisk again = disk.copy();
            again.failAt(at, true);
            try {
                begin(again);
            } catch (SimulatedDisk.PowerLost e) {
                // The power was lost, as planned.
            }
            SimulatedDisk after = again.afterLoss(loss, new Random(at));
            assertFalse(read(after).isShort(), "cut off at " + at + ", lost " + loss);
            assertNull(begin(after).shortage());
            after.remove("end");
            assertTrue(read(after).isShort(), "it has one from then on");
        }
    }

    private static byte[] asVersion1(byte[] file) throws IOException {
        SimulatedDisk one = new SimulatedDisk();
        one.create("f");
        one.content("f", file.clone());
        JournalDisk.File opened = one.open("f");
        long magic = java.nio.ByteBuffer.wrap(file)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .getLong(0);
        FileHeader header = FileHeader.read(opened, "f", magic, null);
        new FileHeader(
                        magic,
                        header.node(),
                        header.number(),
                        header.life(),
                        header.previous(),
                        header.first(),
                        JournalLayout.VERSION_WITH_END - 1)
                .write(opened);
        return one.content("f");
    }
}
