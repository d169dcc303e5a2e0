package tidepool.store.farmv2;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.store.ObjectLayout;
import tidepool.store.RowFormat;

/**
 * A chain of versions, from the newest to the oldest. The newest version is the content of the object in the slot. When
 * it is replaced, it moves into a block outside the slot, and the new version links to it.
 *
 * <pre>
 *     content:  0        8        16         24
 *               +--------+--------+----------+---------+
 *               | stamp  | link   | previous | value n |                        proven by the checksum of the object
 *               +--------+--------+----------+---------+
 *     block:    0        8        16       24         32        32+n
 *               +--------+--------+--------+----------+---------+----------+
 *               | stamp  | writer | link   | previous | value n | checksum |    as many as versions are kept, less one
 *               +--------+--------+--------+----------+---------+----------+
 *               link = TOMBSTONE 63, number of the block of the version before + 1 (0: there was none) 31…0
 * </pre>
 *
 * A link also has the stamp of the version it leads to. Blocks are used in a ring. So the block of a version that is
 * too old holds another stamp, and all versions older than that one are gone too. The checksum begins with the key, so
 * a block of another row that used the slot earlier is not taken for a block of this row.
 *
 * <pre>
 *    field                      written by                                   read by
 *    newest: stamp, previous    the holder of the lock, with the content     every transaction: which version is it
 *                                                                            to see
 *    newest: link               as the stamp                                 transactions that need an older version,
 *                                                                            or find a tombstone
 *    block: all fields          the holder of the lock, before the content   snapshots that walk the chain; checks
 *                               that replaces the version; recovery, where
 *                               the block may be missing
 * </pre>
 */
public final class ChainLayout {
    public static final String KIND = "chain";
    public static final int MIN_VERSIONS = 2;
    public static final int MAX_VERSIONS = 15;

    /** The words before the newest value, in the content of its object. */
    public static final StructLayout NEWEST = MemoryLayout.structLayout(
                    U64.withName("stamp"), // the commit timestamp
                    U64.withName("link"), // TOMBSTONE, block of the version before
                    U64.withName("previous")) // stamp of the version before
            .withName("newest-version");

    /** The words before an older value; the checksum lies behind the value. */
    public static final StructLayout BLOCK = MemoryLayout.structLayout(
                    U64.withName("stamp"),
                    U64.withName("writer"), // the transaction
                    U64.withName("link"),
                    U64.withName("previous"))
            .withName("older-version");

    /** The offset of the value in the content. */
    public static final long VALUE = NEWEST.byteSize();

    private static final long STAMP = offset(NEWEST, "stamp");
    private static final long LINK = offset(NEWEST, "link");
    private static final long PREVIOUS = offset(NEWEST, "previous");

    /** The offset of the value in a block. */
    public static final long BLOCK_VALUE = BLOCK.byteSize();

    private static final long BLOCK_WRITER = offset(BLOCK, "writer");

    /** The distance by which link, previous and value lie further in a block than in a content. */
    private static final long BLOCK_SHIFT = offset(BLOCK, "link") - LINK;

    private static final long TOMBSTONE = 1L << 63;

    static {
        Checks.size(NEWEST, 24);
        Checks.size(BLOCK, 32);
    }

    private ChainLayout() {}

    /** Returns the format of a table's rows. */
    public static RowFormat format(Schema schema, int versions) {
        Checks.argument(
                versions >= MIN_VERSIONS && versions <= MAX_VERSIONS,
                "versions takes " + MIN_VERSIONS + " to " + MAX_VERSIONS + ", not " + versions);
        return new RowFormat(
                KIND,
                versions,
                VALUE + schema.length() + schema.key().areaBytes(),
                (versions - 1) * blockBytes(schema.length()));
    }

    public static long blockBytes(long valueBytes) {
        return BLOCK_VALUE + valueBytes + Words.BYTES;
    }

    /** Returns where a block begins in the memory that belongs to a slot. */
    public static long blockOffset(int block, long valueBytes) {
        return block * blockBytes(valueBytes);
    }

    // ---- the newest version, in the content of an object

    public static long stamp(MemorySegment memory, long content) {
        return Words.plain(memory, content + STAMP);
    }

    public static boolean isTombstone(MemorySegment memory, long content) {
        return Words.plain(memory, content + LINK) < 0;
    }

    /** Returns the block of the version before; -1 if there was none. */
    public static int block(MemorySegment memory, long content) {
        return (int) Words.plain(memory, content + LINK) - 1;
    }

    /** Returns the stamp of the version before. */
    public static long previous(MemorySegment memory, long content) {
        return Words.plain(memory, content + PREVIOUS);
    }

    /** Writes a version before which there was none. */
    public static void born(MemorySegment memory, long content, long stamp) {
        put(memory, content, stamp, 0, 0);
    }

    /** Writes a tombstone before which there was no version: one transaction has inserted the row and deleted it. */
    public static void neverLived(MemorySegment memory, long content, long stamp) {
        put(memory, content, stamp, TOMBSTONE, 0);
    }

    /** Writes a version that replaces another one, and returns the block for the replaced version. */
    public static int follow(
            MemorySegment memory, long content, long stamp, long replaced, int versions, boolean tombstone) {
        int block = (block(memory, replaced) + 1) % (versions - 1);
        put(memory, content, stamp, (tombstone ? TOMBSTONE : 0) | block + 1, stamp(memory, replaced));
        return block;
    }

    private static void put(MemorySegment memory, long content, long stamp, long link, long previous) {
        Words.plain(memory, content + STAMP, stamp);
        Words.plain(memory, content + LINK, link);
        Words.plain(memory, content + PREVIOUS, previous);
    }

    // ---- an older version, in a block

    /** Makes the block of a version from the body of the object in which it was the newest. */
    public static void makeBlock(MemorySegment memory, long block, MemorySegment from, long body, long valueBytes) {
        long content = body + ObjectLayout.BODY_CONTENT;
        Words.plain(memory, block + STAMP, stamp(from, content));
        Words.plain(memory, block + BLOCK_WRITER, Words.plain(from, body + ObjectLayout.BODY_WRITER));
        MemorySegment.copy(from, content + LINK, memory, block + BLOCK_SHIFT + LINK, VALUE - LINK + valueBytes);
        long key = Words.plain(from, body + ObjectLayout.BODY_KEY);
        Words.plain(memory, block + BLOCK_VALUE + valueBytes, checksum(memory, block, valueBytes, key));
    }

    /** Returns whether the memory that has landed is the whole block of that key and that version. */
    public static boolean isWhole(MemorySegment memory, long block, long valueBytes, long key, long stamp) {
        return Words.plain(memory, block + STAMP) == stamp
                && Words.plain(memory, block + BLOCK_VALUE + valueBytes) == checksum(memory, block, valueBytes, key);
    }

    public static long writerOf(MemorySegment memory, long block) {
        return Words.plain(memory, block + BLOCK_WRITER);
    }

    /** Returns the block of the version before the one in a block; -1 if there was none. */
    public static int olderBlock(MemorySegment memory, long block) {
        return block(memory, block + BLOCK_SHIFT);
    }

    /** Returns the stamp of the version before the one in a block. */
    public static long previousOf(MemorySegment memory, long block) {
        return previous(memory, block + BLOCK_SHIFT);
    }

    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }

    private static long checksum(MemorySegment memory, long block, long valueBytes, long key) {
        return Checksum64.of(memory, block, BLOCK_VALUE + valueBytes, key);
    }
}
