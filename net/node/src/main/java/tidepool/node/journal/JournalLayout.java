package tidepool.node.journal;

import static tidepool.base.Words.U32;
import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Id128;

/**
 * The layout of the files of a journal. Segments and checkpoints are a file header and then blocks, back to back. A
 * block is a header and then entries ({@link JournalEntry}).
 *
 * <pre>
 *     0                 72
 *     +-----------------+--------+---------+--------+---------+--
 *     | file header     | block  | entries | block  | entries |  …
 *     +-----------------+--------+---------+--------+---------+--
 *
 *     0      4      8          16        24         32         40
 *     +------+------+----------+---------+----------+----------+-----------
 *     | magic| bytes| sequence | durable | previous | checksum | entries …
 *     +------+------+----------+---------+----------+----------+-----------
 * </pre>
 *
 * A checksum begins with a seed made of the node, the file's number and the life in which the file was written. A block
 * of another file or of another life therefore does not match. Each block also names the checksum of the block before
 * it. The blocks that a block names as durable were forced before it was written. If one of them cannot be read, it was
 * not torn by a crash but damaged later.
 */
public final class JournalLayout {
    /** "TIDEJRNL" in ASCII, little-endian. */
    public static final long SEGMENT_MAGIC = 0x4C4E524A45444954L;

    /** "TIDECKPT" in ASCII, little-endian. */
    public static final long CHECKPOINT_MAGIC = 0x54504B4345444954L;

    /** "TIDEIDEN" in ASCII, little-endian. */
    public static final long IDENTITY_MAGIC = 0x4E45444945444954L;

    /** "TIDEIDLN" in ASCII, little-endian: the identity of a node whose regions are files of persistent memory. */
    public static final long LINES_IDENTITY_MAGIC = 0x4E4C444945444954L;

    /** "TIDELINE" in ASCII, little-endian: the file of a region in persistent memory. */
    public static final long LINES_MAGIC = 0x454E494C45444954L;

    /** "TIDEJEND" in ASCII, little-endian. */
    public static final long END_MAGIC = 0x444E454A45444954L;

    /** "TPJB" in ASCII, little-endian. */
    public static final int BLOCK_MAGIC = 0x424A5054;

    /**
     * Version 2: the end of the journal is recorded outside the segments, and a life has a nonce. Journals of version 1
     * can be opened.
     */
    public static final int VERSION = 2;

    /** The first version whose journals have a record of their end. */
    static final int VERSION_WITH_END = 2;

    /** The header of a file of a journal. */
    public static final StructLayout FILE = MemoryLayout.structLayout(
                    U64.withName("magic"),
                    U32.withName("version"),
                    U32.withName("reserved"),
                    U64.withName("nodeHigh"), // the node that owns the journal
                    U64.withName("nodeLow"),
                    U64.withName(
                            "number"), // of the segment; of a checkpoint the first block not in it; of a region pool
                    // and number
                    U64.withName("life"), // of the node: the number of its starts
                    U64.withName("previous"), // of a segment: the checksum of the last block before it
                    U64.withName("first"), // of a segment: the sequence of its first block; of a region its bytes
                    U64.withName("checksum")) // over all fields above
            .withName("journal-file");

    public static final StructLayout BLOCK = MemoryLayout.structLayout(
                    U32.withName("magic"),
                    U32.withName("bytes"), // of the whole block, a multiple of 8
                    U64.withName("sequence"), // one more than that of the block before it
                    U64.withName("durable"), // blocks up to this one had been forced when it was written
                    U64.withName("previous"), // the checksum of the block before it
                    U64.withName("checksum")) // over all fields above and the entries
            .withName("journal-block");

    /** A record of what was acknowledged. The file has two, written in turns, at {@link #endSlot}. */
    public static final StructLayout END_SLOT = MemoryLayout.structLayout(
                    U64.withName("count"), // of records so far; of two whole slots the higher count is valid
                    U64.withName("state"), // 0 open, 1 ended in order, 2 believed, 3 disbelieved by an administrator
                    U64.withName("life"), // in which it was written
                    U64.withName("sequence"), // the last block that was acknowledged
                    U64.withName("block"), // its checksum
                    U64.withName("checksum")) // over all fields above; the seed is made of the node
            .withName("journal-end");

    static final long END_COUNT = at(END_SLOT, "count");
    static final long END_STATE = at(END_SLOT, "state");
    static final long END_LIFE = at(END_SLOT, "life");
    static final long END_SEQUENCE = at(END_SLOT, "sequence");
    static final long END_BLOCK = at(END_SLOT, "block");
    static final long END_CHECKSUM = at(END_SLOT, "checksum");

    /** Bytes that a disk writes whole or not at all. */
    public static final long SECTOR = 512;

    static final long MAGIC_AT = at(FILE, "magic");
    static final long VERSION_AT = at(FILE, "version");
    static final long NODE_HIGH = at(FILE, "nodeHigh");
    static final long NODE_LOW = at(FILE, "nodeLow");
    static final long NUMBER = at(FILE, "number");
    static final long LIFE = at(FILE, "life");
    static final long PREVIOUS = at(FILE, "previous");
    static final long FIRST = at(FILE, "first");

    static final long FILE_CHECKSUM = at(FILE, "checksum");

    /** The offset at which the blocks of a file begin. */
    public static final long FILE_BYTES = FILE.byteSize();

    static final long BLOCK_MAGIC_AT = at(BLOCK, "magic");
    static final long BLOCK_LENGTH = at(BLOCK, "bytes");
    static final long BLOCK_SEQUENCE = at(BLOCK, "sequence");
    static final long BLOCK_DURABLE = at(BLOCK, "durable");
    static final long BLOCK_PREVIOUS = at(BLOCK, "previous");
    static final long BLOCK_CHECKSUM = at(BLOCK, "checksum");

    public static final int BLOCK_BYTES = (int) BLOCK.byteSize();

    /** The longest block. A longer one is rejected as damaged. */
    public static final int MAX_BLOCK_BYTES = 1 << 27;

    static {
        Checks.size(FILE, 72);
        Checks.size(BLOCK, 40);
        Checks.size(END_SLOT, 48);
    }

    private JournalLayout() {}

    /** Returns the offset of the record with this count in the end file. */
    static long endSlot(long count) {
        return SECTOR * (1 + (count & 1));
    }

    /** Returns the seed of the checksums of a file's blocks. */
    static long seed(long magic, Id128 node, long number, long life) {
        long h = Checksum64.start(magic);
        h = Checksum64.mix(h, node.high());
        h = Checksum64.mix(h, node.low());
        h = Checksum64.mix(h, number);
        h = Checksum64.mix(h, life);
        return Checksum64.finish(h);
    }

    /** Returns the checksum of the block that begins at {@code at} and is {@code bytes} long. */
    static long checksum(MemorySegment memory, long at, long bytes, long seed) {
        long header = Checksum64.of(memory, at, BLOCK_CHECKSUM, seed);
        return Checksum64.of(memory, at + BLOCK_BYTES, bytes - BLOCK_BYTES, header);
    }

    private static long at(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }
}
