package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Words;

/** Reader of the blocks of one file, in order. It accepts a block only if its checksum proves that it is whole. */
final class BlockReader implements AutoCloseable {
    private final JournalDisk.File file;
    private final long size;
    private final long seed;
    private Arena arena = Arena.ofConfined();
    private MemorySegment memory = arena.allocate(1 << 16, Words.BYTES);
    private long at = JournalLayout.FILE_BYTES;
    private long bytes;
    private long sequence;
    private long durable;
    private long checksum;

    /**
     * @param before the sequence of the block before the first
     * @param previous the checksum of the block before the first
     */
    BlockReader(JournalDisk.File file, long seed, long before, long previous) throws IOException {
        this.file = file;
        this.size = file.size();
        this.seed = seed;
        this.sequence = before;
        this.checksum = previous;
    }

    /** Moves to the next block. Returns false if no whole block follows that continues the current one. */
    boolean next() throws IOException {
        if (!load(at)) return false;
        if (Words.plain(memory, JournalLayout.BLOCK_SEQUENCE) != sequence + 1
                || Words.plain(memory, JournalLayout.BLOCK_PREVIOUS) != checksum) return false;
        sequence++;
        durable = Words.plain(memory, JournalLayout.BLOCK_DURABLE);
        checksum = Words.plain(memory, JournalLayout.BLOCK_CHECKSUM);
        at += bytes;
        return true;
    }

    private boolean load(long where) throws IOException {
        bytes = 0;
        if (size - where < JournalLayout.BLOCK_BYTES) return false;
        DiskTransfer.read(file, memory, JournalLayout.BLOCK_BYTES, where);
        if (memory.get(Words.U32, JournalLayout.BLOCK_MAGIC_AT) != JournalLayout.BLOCK_MAGIC) return false;
        int length = memory.get(Words.U32, JournalLayout.BLOCK_LENGTH);
        if (length < JournalLayout.BLOCK_BYTES
                || length > JournalLayout.MAX_BLOCK_BYTES
                || length % Words.BYTES != 0
                || length > size - where) return false;
        reserve(length);
        DiskTransfer.read(file, memory, length, where);
        if (JournalLayout.checksum(memory, 0, length, seed) != Words.plain(memory, JournalLayout.BLOCK_CHECKSUM))
            return false;
        bytes = length;
        return true;
    }

    private void reserve(long length) {
        if (length <= memory.byteSize()) return;
        arena.close();
        arena = Arena.ofConfined();
        memory = arena.allocate(Math.max(length, 1 << 20), Words.BYTES);
    }

    /**
     * Returns whether the block after the last whole one is damaged. This is so if a later whole block says that it had
     * been forced: a crash cannot tear a block that was forced.
     */
    boolean isDamagedHere() throws IOException {
        long wanted = sequence + 1;
        long rest = size - at & -Words.BYTES;
        try (Arena whole = Arena.ofConfined()) {
            MemorySegment tail = whole.allocate(Math.max(rest, Words.BYTES), Words.BYTES);
            DiskTransfer.read(file, tail, rest, at);
            for (long i = 0; rest - i >= JournalLayout.BLOCK_BYTES; i += Words.BYTES)
                if (tail.get(Words.U32, i + JournalLayout.BLOCK_MAGIC_AT) == JournalLayout.BLOCK_MAGIC
                        && Words.plain(tail, i + JournalLayout.BLOCK_DURABLE) >= wanted
                        && load(at + i)) return true;
        }
        return false;
    }

    /**
     * Returns whether only zeros follow the last block. A file made from a spare segment has its full length at once.
     */
    boolean areZerosLeft() throws IOException {
        for (long from = at; from < size; from += memory.byteSize()) {
            long length = Math.min(memory.byteSize(), size - from);
            DiskTransfer.read(file, memory, length, from);
            for (long i = 0; i < length; i++) if (memory.get(ValueLayout.JAVA_BYTE, i) != 0) return false;
        }
        return true;
    }

    /** Passes the entries of the current block to the visitor. Refuses the file if the visitor rejects one of them. */
    void replay(EntryVisitor target, String path) {
        long end = JournalEntry.replay(memory, JournalLayout.BLOCK_BYTES, bytes, target);
        if (end != bytes)
            throw JournalException.damaged(path, at - bytes + end, "an entry contradicts what was before it");
    }

    /** Returns whether the current block is a mark: no entries, only the news that the block before it was forced. */
    boolean isMark() {
        return bytes == JournalLayout.BLOCK_BYTES;
    }

    /** Returns the offset at which the next block begins. */
    long at() {
        return at;
    }

    boolean isAtEnd() {
        return at == size;
    }

    long sequence() {
        return sequence;
    }

    long durable() {
        return durable;
    }

    long checksum() {
        return checksum;
    }

    @Override
    public void close() {
        arena.close();
    }
}
