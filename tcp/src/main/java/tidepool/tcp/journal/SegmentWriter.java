package tidepool.tcp.journal;

import java.io.IOException;
import tidepool.base.Id128;

/**
 * Appends blocks to the journal, one segment after the other. What fails because the disk is full has changed nothing and
 * can be tried again; after any other failure nothing more may be written.
 *
 * <pre>
 *   a new segment                                     a crash right after it leaves
 *   force the old one                                 the old one, whole
 *   write and force SEGMENT.new                       a file that the next start removes
 *   rename it, force the names                        an empty segment behind the old one
 * </pre>
 */
final class SegmentWriter implements AutoCloseable {
    private final JournalDisk disk;
    private final Id128 node;
    private final long life;
    private final long segmentBytes;
    private JournalDisk.File file;
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
            JournalDisk disk, Id128 node, long life, long segmentBytes, long lastNumber, long sequence, long checksum) {
        this.disk = disk;
        this.node = node;
        this.life = life;
        this.segmentBytes = segmentBytes;
        this.number = lastNumber;
        this.sequence = sequence;
        this.checksum = checksum;
        this.durable = sequence;
    }

    /** Begins the next segment; everything before it is durable then. */
    void rotate() throws IOException {
        if (file != null) force();
        FileHeader header = new FileHeader(JournalLayout.SEGMENT_MAGIC, node, number + 1, life, checksum, sequence + 1);
        String name = Names.segment(number + 1);
        JournalDisk.File fresh = disk.create(Names.unfinished(name));
        boolean done = false;
        try {
            header.write(fresh);
            fresh.force();
            disk.rename(Names.unfinished(name), name);
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
    }

    /** Writes a block, in a new segment if the old one is full. */
    void append(EntryBuffer block) throws IOException {
        if (end > JournalLayout.FILE_BYTES && end + block.bytes() > segmentBytes) rotate();
        long sum = block.seal(sequence + 1, durable, checksum, seed);
        DiskWork.write(file, block.memory(), 0, block.bytes(), end);
        // ---- the block is with the operating system from here on ----
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
        if (file != null) file.close();
    }
}
