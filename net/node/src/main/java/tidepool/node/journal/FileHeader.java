package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.node.journal.JournalException.Reason;

/**
 * The header of a file of a journal.
 *
 * @param number of a segment: its number; of a checkpoint: the first block that is not in it
 * @param previous of a segment: the checksum of the last block before it
 * @param first of a segment: the sequence of its first block
 * @param version of the format
 */
record FileHeader(long magic, Id128 node, long number, long life, long previous, long first, int version) {

    /** Makes the header of a new file, in the current format version. */
    FileHeader(long magic, Id128 node, long number, long life, long previous, long first) {
        this(magic, node, number, life, previous, first, JournalLayout.VERSION);
    }

    long seed() {
        return JournalLayout.seed(magic, node, number, life);
    }

    void write(JournalDisk.File file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(JournalLayout.FILE_BYTES, Words.BYTES);
            Words.plain(memory, JournalLayout.MAGIC_AT, magic);
            memory.set(Words.U32, JournalLayout.VERSION_AT, version);
            Words.plain(memory, JournalLayout.NODE_HIGH, node.high());
            Words.plain(memory, JournalLayout.NODE_LOW, node.low());
            Words.plain(memory, JournalLayout.NUMBER, number);
            Words.plain(memory, JournalLayout.LIFE, life);
            Words.plain(memory, JournalLayout.PREVIOUS, previous);
            Words.plain(memory, JournalLayout.FIRST, first);
            Words.plain(memory, JournalLayout.FILE_CHECKSUM, checksum(memory));
            DiskTransfer.write(file, memory, 0, JournalLayout.FILE_BYTES, 0);
        }
    }

    /**
     * Reads the header. Throws if the file is of another kind, of a newer version, damaged, or of another node.
     *
     * @param node the expected node; null to accept any node
     */
    static FileHeader read(JournalDisk.File file, String path, long magic, Id128 node) throws IOException {
        if (file.size() < JournalLayout.FILE_BYTES)
            throw JournalException.damaged(path, file.size(), "a file ends in its header");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(JournalLayout.FILE_BYTES, Words.BYTES);
            DiskTransfer.read(file, memory, JournalLayout.FILE_BYTES, 0);
            if (Words.plain(memory, JournalLayout.MAGIC_AT) != magic)
                throw JournalException.damaged(path, JournalLayout.MAGIC_AT, "there is no file of a journal");
            int version = memory.get(Words.U32, JournalLayout.VERSION_AT);
            boolean whole = Words.plain(memory, JournalLayout.FILE_CHECKSUM) == checksum(memory);
            if (whole && Integer.compareUnsigned(version, JournalLayout.VERSION) > 0)
                throw new JournalException(
                        Reason.NEWER,
                        "the journal has format version " + Integer.toUnsignedString(version)
                                + " and this program reads up to " + JournalLayout.VERSION + ": " + path
                                + "; start the program that wrote it, or a newer one");
            if (!whole || version < 1)
                throw JournalException.damaged(path, JournalLayout.FILE_CHECKSUM, "the header of a file is not whole");
            FileHeader header = new FileHeader(
                    magic,
                    new Id128(
                            Words.plain(memory, JournalLayout.NODE_HIGH), Words.plain(memory, JournalLayout.NODE_LOW)),
                    Words.plain(memory, JournalLayout.NUMBER),
                    Words.plain(memory, JournalLayout.LIFE),
                    Words.plain(memory, JournalLayout.PREVIOUS),
                    Words.plain(memory, JournalLayout.FIRST),
                    version);
            if (node != null && !header.node.equals(node))
                throw new JournalException(
                        Reason.FOREIGN,
                        "a file of another node's journal, of node " + header.node + " and not of " + node + ": " + path
                                + "; take it away, and bring back the file that was there");
            return header;
        }
    }

    private static long checksum(MemorySegment memory) {
        return Checksum64.of(memory, 0, JournalLayout.FILE_CHECKSUM, JournalLayout.SEGMENT_MAGIC);
    }
}
