package tidepool.tcp.journal;

import java.io.IOException;
import tidepool.base.Id128;

/**
 * Appends blocks to the journal, one segment after the other. What fails because the disk is full has changed nothing and
 * can be tried again; after any other failure nothing more may be written.
 *
 * <pre>
 *   a new segment                                     a crash right after it leaves
 *   force the old one                                 the old one, whole, zeros behind its last block
 *   cut its zeros off, force it                       the old one, whole
 *   write and force the header of SPARE or a new file a file that the next start removes
 *   rename it, force the names                        an empty segment behind the old one
 * </pre>
 *
 * A segment that was a {@link SpareSegment} has its whole length from the beginning.
 */
final class SegmentWriter implements AutoCloseable {
    private final JournalDisk disk;
    private final Id128 node;
    private final long life;
    private final Durability durability;
    private final long segmentBytes;
    private final SpareSegment spare;
    private EndFile endFile; // null until the life has begun
    private JournalDisk.File file;
    private boolean wasSpare;
    private long number;
    private long seed;
    private long end;
    private long sequence;
    private long checksum;
    private long durable;
    private long written;
    private long forces;

    /** @param lastNumber of the segments that are there; {@code sequence} and {@code checksum} of the last block */
    SegmentWriter(
            JournalDisk disk,
            Id128 node,
            long life,
            JournalOptions options,
            long lastNumber,
            long sequence,
            long checksum) {
        this.disk = disk;
        this.node = node;
        this.life = life;
        this.durability = options.durability();
        this.segmentBytes = options.segmentBytes();
        this.spare = new SpareSegment(disk, segmentBytes, options.spares());
        this.number = lastNumber;
        this.sequence = sequence;
        this.checksum = checksum;
        this.durable = sequence;
    }

    /** Begins the next segment; everything before it is durable then. */
    void rotate() throws IOException {
        if (file != null) cut();
        FileHeader header = new FileHeader(JournalLayout.SEGMENT_MAGIC, node, number + 1, life, checksum, sequence + 1);
        String name = Names.segment(number + 1);
        JournalDisk.File fresh = spare.take();
        wasSpare = fresh != null;
        String before = wasSpare ? SpareSegment.NAME : Names.unfinished(name);
        if (!wasSpare) fresh = disk.create(before);
        boolean done = false;
        try {
            header.write(fresh);
            fresh.force();
            disk.rename(before, name);
            disk.forceNames();
            done = true;
        } finally {
            if (!done) fresh.close();
        }
        if (file != null) file.close();
        file = fresh;
        number++;
        seed = header.seed();
        end = JournalLayout.FILE_BYTES;
        spare.prepare();
    }

    /** The life has begun: from now on what is acknowledged is recorded. */
    void recordEnd() throws IOException {
        if (endFile != null) endFile.close();
        endFile = EndFile.replace(disk, node, acknowledged(EndRecord.State.OPEN));
    }

    private EndRecord acknowledged(EndRecord.State state) {
        return new EndRecord(state, life, sequence, checksum);
    }

    /** What was appended is about to be acknowledged. */
    private void noteEnd() throws IOException {
        if (endFile == null) return;
        try {
            endFile.note(acknowledged(EndRecord.State.OPEN));
        } catch (DiskFull e) {
            // The record of before claims less, and is true.
        }
    }

    /** Returns when the record of what was acknowledged would outlast a loss of power. */
    void proveEnd() throws IOException {
        endFile.force();
    }

    /** The life ends in order with the last block, which was forced. */
    void closeEnd() throws IOException {
        endFile.force(acknowledged(EndRecord.State.CLOSED));
    }

    /** Ends the segment with its last block, and for good. */
    private void cut() throws IOException {
        force();
        if (!wasSpare) return;
        file.truncate(end);
        file.force();
    }

    /** Writes a block, in a new segment if the old one is full. */
    void append(EntryBuffer block) throws IOException {
        long sum = begin(block);
        DiskWork.write(file, block.memory(), 0, block.bytes(), end);
        // ---- the block is with the operating system from here on ----
        ended(block, sum);
        if (durability == Durability.FLUSH) noteEnd();
    }

    /** Writes a block; returns when it, and all that was appended before it, would outlast a loss of power. */
    void appendForced(EntryBuffer block) throws IOException {
        if (durable != sequence) {
            append(block);
            force();
            return;
        }
        long sum = begin(block);
        DiskWork.writeForced(file, block.memory(), block.bytes(), end);
        // ---- the block is with the disk from here on ----
        ended(block, sum);
        forces++;
        durable = sequence;
        noteEnd();
    }

    private long begin(EntryBuffer block) throws IOException {
        boolean isFull = end + block.bytes() > segmentBytes || !wasSpare && spare.isReady();
        if (end > JournalLayout.FILE_BYTES && isFull) rotate();
        return block.seal(sequence + 1, durable, checksum, seed);
    }

    private void ended(EntryBuffer block, long sum) {
        end += block.bytes();
        written += block.bytes();
        sequence++;
        checksum = sum;
    }

    /** Returns when everything appended so far would outlast a loss of power. */
    void force() throws IOException {
        file.force();
        forces++;
        durable = sequence;
        noteEnd();
    }

    /** The last block that was appended. */
    long sequence() {
        return sequence;
    }

    /** The last block that was forced. */
    long durable() {
        return durable;
    }

    long number() {
        return number;
    }

    /** Bytes that were appended in this life. */
    long written() {
        return written;
    }

    long forces() {
        return forces;
    }

    @Override
    public void close() throws IOException {
        spare.close();
        if (endFile != null) endFile.close();
        if (file != null) file.close();
    }
}
