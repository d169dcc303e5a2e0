package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;

/**
 * Writes everything that a node knows as a file of its own. Memory may change while it is copied: what changed since the
 * first block that the checkpoint names is in the journal as well, which is carried out over it.
 *
 * <pre>
 *   step                                              a crash right after it leaves
 *   write CHECKPOINT.new                              a file that the next start removes
 *   END, when the journal is durable so far; force    the same
 *   rename it, force the names                        two checkpoints; the newer one counts
 *   remove the older one and segments before it       leftovers that the next start removes
 * </pre>
 */
final class CheckpointWriter implements AutoCloseable {
    private static final int BLOCK_BYTES = 1 << 20;

    /** Forced in pieces, so that the journal beside it never waits for all of it. */
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

    /** @param firstBlock the first block of the journal that is not in it */
    CheckpointWriter(JournalDisk disk, Id128 node, long life, long firstBlock) throws IOException {
        this.disk = disk;
        this.firstBlock = firstBlock;
        this.header = new FileHeader(JournalLayout.CHECKPOINT_MAGIC, node, firstBlock, life, 0, 1);
        this.file = disk.create(Names.unfinished(Names.checkpoint(firstBlock)));
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

    /** All of a region, or of a pool's own memory; what is zero is left out. */
    void memory(int pool, int region, MemorySegment memory) throws IOException {
        long size = memory.byteSize();
        MemorySegment copy = MemorySegment.ofArray(new byte[CHUNK]);
        for (long at = 0; at < size; at += CHUNK) {
            long length = Math.min(CHUNK, size - at);
            // Copied first: others write to it, and a freed region must not be held up.
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
        DiskWork.write(file, block.memory(), 0, block.bytes(), end);
        end += block.bytes();
        block.clear(2L * BLOCK_BYTES);
        if (end - forced < FORCE_BYTES) return;
        file.force();
        forced = end;
    }

    /** It is whole. The journal is durable up to that block, which is the last that can have changed what was copied. */
    void finish(long lastBlock) throws IOException {
        block.end(lastBlock);
        write();
        file.force();
        String name = Names.checkpoint(firstBlock);
        disk.rename(Names.unfinished(name), name);
        disk.forceNames();
        // ---- the checkpoint counts from here on ----
        done = true;
        removeOlder(disk, firstBlock);
    }

    /** Takes away what is not needed beside the checkpoint that begins before that block. */
    static void removeOlder(JournalDisk disk, long firstBlock) throws IOException {
        var names = disk.list();
        for (long other : Names.checkpoints(names)) if (other != firstBlock) disk.delete(Names.checkpoint(other));
        var segments = Names.segments(names);
        for (int i = 0; i + 1 < segments.size(); i++) {
            // The oldest first, so that a crash leaves no hole.
            try (JournalDisk.File next = disk.open(Names.segment(segments.get(i + 1)))) {
                String path = disk.path(Names.segment(segments.get(i + 1)));
                if (FileHeader.read(next, path, JournalLayout.SEGMENT_MAGIC, null)
                                .first()
                        > firstBlock) return;
            }
            disk.delete(Names.segment(segments.get(i)));
        }
    }

    long bytes() {
        return end;
    }

    /** Leaves nothing of one that was not finished. */
    @Override
    public void close() throws IOException {
        file.close();
        if (!done) disk.delete(Names.unfinished(Names.checkpoint(firstBlock)));
    }
}
