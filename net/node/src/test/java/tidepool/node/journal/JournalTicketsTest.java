package tidepool.node.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.node.journal.SimulatedDisk.Loss;

/** The failures that a kept ticket survives. The test calls the journal as the loop of a node does. */
class JournalTicketsTest {
    private static final long REGION_BYTES = 4 << 20;

    private final Arena arena = Arena.ofShared();
    private final SimulatedDisk disk = new SimulatedDisk();
    private final Semaphore progress = new Semaphore(0);
    private Journal journal;

    @BeforeEach
    void open() {
        JournalOptions options = new JournalOptions(Durability.STRICT, 64 << 20, 1 << 30, path -> disk, null);
        journal = Journal.open(disk, options, new NodeImage(1L << 30), () -> JournalScript.NODE, progress::release);
        journal.start("n");
        MemorySegment meta = arena.allocate(NodeLayout.BYTES, Words.BYTES);
        journal.pool(0, "p", new Id128(1, 2), 0, 1, meta);
        ChangeSet changes = new ChangeSet(0);
        changes.create(0, REGION_BYTES);
        journal.append(changes);
        flush();
    }

    @AfterEach
    void close() {
        journal.abandon();
        arena.close();
    }

    /**
     * Much is written, and not forced, before a FLUSH waits for it. A later FLUSH must not be answered without a force.
     */
    @Test
    void bytesWrittenWithoutAWaiterAreForcedByALaterFlush() throws Exception {
        spill();

        flush();

        assertEquals(7, recovered(1 << 20));
    }

    /** One force is enough for all changes recorded before it. */
    @Test
    void whoFlushesWhatIsForcedIsToldAtOnce() throws Exception {
        spill();
        journal.word(0, 0, 64, 9);

        flush();

        assertTrue(journal.ticket() <= journal.kept());
        assertEquals(7, recovered(1 << 20));
        assertEquals(9, recovered(64));
    }

    /** Ends with a word at one MiB. */
    private void spill() throws InterruptedException {
        MemorySegment much = arena.allocate(1 << 20, Words.BYTES);
        journal.bytes(0, 0, 0, much, 0, much.byteSize());
        journal.word(0, 0, 1 << 20, 7);
        long written = journal.writtenBytes();
        journal.turn(false, List::of);
        while (journal.writtenBytes() == written) progress.acquire();
    }

    /** Does the work of a FLUSH. Returns when the answer may be sent. */
    private void flush() {
        long ticket = journal.ticket();
        if (ticket > journal.kept()) journal.want(ticket);
        while (ticket > journal.kept()) {
            journal.turn(false, List::of);
            if (ticket > journal.kept()) progress.acquireUninterruptibly();
        }
    }

    /** Returns the word at this offset after a loss of power that loses everything that was not forced. */
    private long recovered(long at) throws Exception {
        try (NodeImage image = new NodeImage(1L << 30)) {
            JournalRecovery.read(disk.afterLoss(Loss.EVERYTHING, new Random(0)), image);
            return Words.plain(image.pools().get(0).regions().get(0), at);
        }
    }
}
