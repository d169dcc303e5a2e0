package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;

/**
 * Writer of a checkpoint: one file with everything that a node knows. Memory may change while it is copied. Every
 * change since the first block that the checkpoint names is in the journal too, and recovery replays the journal over
 * the copy.
 *
 * <pre>
 *   step                                              a crash right after it leaves
 *   write CHECKPOINT.new                              a file that the next start removes
 *   END, when the journal is durable so far; force    a file that the next start removes
 *   rename it, force the names                        two checkpoints; the newer one counts
 *   remove the older one and segments before it       leftovers that the next start removes
 * </pre>
 */
final class CheckpointWriter implements AutoCloseable {
    private static final int BLOCK_BYTES = 1 << 20;

    /** The file is forced in pieces of this size. Otherwise a force of the journal would wait for the whole file. */
    private static final long FORCE_BYTES = 8 << 20;

    private static final int CHUNK = 4096;

    private final JournalDisk disk;
    private final long firstBlock;
    private final FileHeader header;
    private final JournalDisk.File file;
    private final EntryBuffer block = new EntryBuffer();
    private long end = JournalLayout.FILE_BYTES;
    private long forced;
    private long sequence;
    private long checksum;
    private boolean done;

    /** @param firstBlock the first block of the journal that is not in the checkpoint */
    CheckpointWriter(JournalDisk disk, Id128 node, long life, long firstBlock) throws IOException {
        this.disk = disk;
        this.firstBlock = firstBlock;
        this.header = new FileHeader(JournalLayout.CHECKPOINT_MAGIC, node, firstBlock, life, 0, 1);
        this.file = disk.create(JournalFileNames.unfinished(JournalFileNames.checkpoint(firstBlock)));
        header.write(file);
    }

    void life(Life life) {
        block.life(life);
    }

    void pool(int pool, String name, Id128 id, int number, int nodes) {
        block.pool(pool, name, id, number, nodes);
    }

    void create(int pool, int region, long bytes) {
        block.create(pool, region, bytes);
    }

    /** Writes all of a region, or of a pool's own memory, except chunks of zeros. */
    void memory(int pool, int region, MemorySegment memory) throws IOException {
        long size = memory.byteSize();
        MemorySegment copy = MemorySegment.ofArray(new byte[CHUNK]);
        for (long at = 0; at < size; at += CHUNK) {
            long length = Math.min(CHUNK, size - at);
            // Copied first: other threads write to the memory, and freeing a region must not wait for the checkpoint.
            MemorySegment.copy(memory, at, copy, 0, length);
            if (isZero(copy, length)) continue;
            block.bytes(pool, region, at, copy, 0, length);
            if (block.bytes() >= BLOCK_BYTES) write();
        }
    }

    private static boolean isZero(MemorySegment memory, long length) {
        for (long i = 0; i < length; i += Long.BYTES)
            if (memory.get(java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED, i) != 0) return false;
        return true;
    }

    private void write() throws IOException {
        checksum = block.seal(++sequence, 0, checksum, header.seed());
        DiskTransfer.write(file, block.memory(), 0, block.bytes(), end);
        end += block.bytes();
        block.clear(2L * BLOCK_BYTES);
        if (end - forced < FORCE_BYTES) return;
        file.force();
        forced = end;
    }

    /**
     * Completes the checkpoint.
     *
     * @param lastBlock the last block that can have changed the copied memory; the journal is durable up to it
     */
    void finish(long lastBlock) throws IOException {
        block.end(lastBlock);
        write();
        file.force();
        String name = JournalFileNames.checkpoint(firstBlock);
        disk.rename(JournalFileNames.unfinished(name), name);
        disk.forceNames();
        // ---- the checkpoint counts from here on ----
        done = true;
        removeOlder(disk, firstBlock);
    }

    /** Removes all other checkpoints, and the segments that end before this first block. */
    static void removeOlder(JournalDisk disk, long firstBlock) throws IOException {
        var names = disk.list();
        for (long other : JournalFileNames.checkpoints(names))
            if (other != firstBlock) disk.delete(JournalFileNames.checkpoint(other));
        var segments = JournalFileNames.segments(names);
        for (int i = 0; i + 1 < segments.size(); i++) {
            // The oldest first, so that a killed process leaves no hole.
            try (JournalDisk.File next = disk.open(JournalFileNames.segment(segments.get(i + 1)))) {
                String path = disk.path(JournalFileNames.segment(segments.get(i + 1)));
                if (FileHeader.read(next, path, JournalLayout.SEGMENT_MAGIC, null)
                                .first()
                        > firstBlock) return;
            }
            disk.delete(JournalFileNames.segment(segments.get(i)));
        }
    }

    long bytes() {
        return end;
    }

    /** Removes the file if the checkpoint was not finished. */
    @Override
    public void close() throws IOException {
        file.close();
        if (!done) disk.delete(JournalFileNames.unfinished(JournalFileNames.checkpoint(firstBlock)));
    }
}
