package tidepool.node.journal;

import java.io.IOException;
import tidepool.base.Id128;

/**
 * Writer of the blocks of the journal, one segment after the other. A call that fails because the disk is full has
 * changed nothing and can be tried again. After any other failure nothing more may be written.
 *
 * <pre>
 *   a new segment                                     a crash right after it leaves
 *   force the old one                                 the old one, whole, zeros after its last block
 *   cut its zeros off, force it                       the old one, whole
 *   write and force the header of SPARE or a new file a file that the next start removes
 *   rename it, force the names                        an empty segment after the old one
 * </pre>
 *
 * A segment that was a {@link SpareSegment} has its full length from the beginning.
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

    /**
     * @param lastNumber the number of the last existing segment
     * @param sequence the sequence of the last block
     * @param checksum the checksum of the last block
     */
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

    /** Begins the next segment. Afterwards everything before it is durable. */
    void rotate() throws IOException {
        if (file != null) cut();
        FileHeader header = new FileHeader(JournalLayout.SEGMENT_MAGIC, node, number + 1, life, checksum, sequence + 1);
        String name = JournalFileNames.segment(number + 1);
        JournalDisk.File fresh = spare.take();
        wasSpare = fresh != null;
        String before = wasSpare ? SpareSegment.NAME : JournalFileNames.unfinished(name);
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

    /** Begins the end record of this life. From now on acknowledged blocks are recorded. */
    void recordEnd() throws IOException {
        if (endFile != null) endFile.close();
        endFile = EndFile.replace(disk, node, acknowledged(EndRecord.State.OPEN));
    }

    private EndRecord acknowledged(EndRecord.State state) {
        return new EndRecord(state, life, sequence, checksum);
    }

    /** Records the last block, which is about to be acknowledged. */
    private void noteEnd() throws IOException {
        if (endFile == null) return;
        try {
            endFile.note(acknowledged(EndRecord.State.OPEN));
        } catch (DiskFullException e) {
            // The earlier record claims less and is still true.
        }
    }

    /** Returns when the end record would survive a loss of power. */
    void proveEnd() throws IOException {
        endFile.force();
    }

    /** Records that the life ended in order with the last block, which was forced. */
    void closeEnd() throws IOException {
        endFile.force(acknowledged(EndRecord.State.CLOSED));
    }

    /** Forces the segment and cuts it after its last block. */
    private void cut() throws IOException {
        force();
        if (!wasSpare) return;
        file.truncate(end);
        file.force();
    }

    /** Writes a block, in a new segment if the old one is full. */
    void append(EntryBuffer block) throws IOException {
        long sum = begin(block);
        DiskTransfer.write(file, block.memory(), 0, block.bytes(), end);
        // ---- the block is with the operating system from here on ----
        ended(block, sum);
        if (durability == Durability.FLUSH) noteEnd();
    }

    /** Writes a block. Returns when it and all blocks before it would survive a loss of power. */
    void appendForced(EntryBuffer block) throws IOException {
        if (durable != sequence) {
            append(block);
            force();
            return;
        }
        long sum = begin(block);
        DiskTransfer.writeForced(file, block.memory(), block.bytes(), end);
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

    /** Returns when all blocks appended so far would survive a loss of power. */
    void force() throws IOException {
        file.force();
        forces++;
        durable = sequence;
        noteEnd();
    }

    /** Returns the last block that was appended. */
    long sequence() {
        return sequence;
    }

    /** Returns the last block that was forced. */
    long durable() {
        return durable;
    }

    long number() {
        return number;
    }

    /** Returns the bytes that were appended in this life. */
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
