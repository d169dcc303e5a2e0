package tidepool.store.motor;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.store.RowFormat;

/**
 * A consecutive version tuple (§4.1): the content of the object in a slot. The header of the object has the lock, the
 * id of the newest writer and the key. Its checksum proves that all cells are of one moment.
 *
 * <pre>
 *     object:  | LOCK | VER | key | flags | writer |  content: cells × versions  | checksum |
 *
 *     cell:    0         8        16       24        32
 *              +---------+--------+--------+---------+
 *              | stamp   | writer | place  | bitmap  |
 *              +---------+--------+--------+---------+
 *              place = BORN 63, TOMBSTONE 62, length of the delta 61…32, its offset in the bar 31…0
 * </pre>
 *
 * A stamp of 0 is an empty cell. Cells lie in no order: a version is found by its stamp. The delta of a cell has the
 * attributes as they were before that version. BORN: before this version there was none. TOMBSTONE: from this version
 * on the row does not exist. A tombstone changes no value, so it has no delta, and the value package keeps its stamp.
 *
 * <pre>
 *    field    written by                                       read by
 *    stamp    the holder of the lock, after the value package  every transaction: which version is it to see; recovery
 *    writer   as the stamp                                     recovery and checks: whose version is it
 *    place    as the stamp                                     transactions that need the delta or find a tombstone
 *    bitmap   as the stamp                                     as the place: how long is the delta
 * </pre>
 *
 * Recovery writes a whole tuple: the one that the log has.
 */
public final class TupleLayout {
    public static final StructLayout CELL = MemoryLayout.structLayout(
                    U64.withName("stamp"), // the commit timestamp; 0 = empty
                    U64.withName("writer"), // the transaction
                    U64.withName("place"), // BORN, TOMBSTONE, length and offset of the delta
                    U64.withName("bitmap")) // the attributes in the delta
            .withName("version-cell");

    public static final String KIND = "tuple";
    public static final int MIN_VERSIONS = 2;
    public static final int MAX_VERSIONS = 15;
    public static final long CELL_BYTES = CELL.byteSize();

    private static final long STAMP = offset("stamp");
    private static final long WRITER = offset("writer");
    private static final long PLACE = offset("place");
    private static final long BITMAP = offset("bitmap");

    private static final long BORN = 1L << 63;
    private static final long TOMBSTONE = 1L << 62;

    static {
        Checks.size(CELL, 32);
    }

    private TupleLayout() {}

    /** Returns the format of a table's rows: a tuple in the slot, value and bar in the block that belongs to it. */
    public static RowFormat format(Schema schema, int versions, BarSize bar) {
        Checks.argument(
                versions >= MIN_VERSIONS && versions <= MAX_VERSIONS,
                "versions takes " + MIN_VERSIONS + " to " + MAX_VERSIONS + ", not " + versions);
        return new RowFormat(
                KIND,
                versions,
                versions * CELL_BYTES + schema.key().areaBytes(),
                PackageLayout.bytes(schema.length()) + bar.bytes(),
                bar.text());
    }

    // ---- a tuple in local memory; cells is where its content begins

    public static long cell(long cells, int i) {
        return cells + i * CELL_BYTES;
    }

    public static long stamp(MemorySegment memory, long cell) {
        return Words.plain(memory, cell + STAMP);
    }

    public static long writer(MemorySegment memory, long cell) {
        return Words.plain(memory, cell + WRITER);
    }

    public static long bitmap(MemorySegment memory, long cell) {
        return Words.plain(memory, cell + BITMAP);
    }

    public static boolean isBorn(MemorySegment memory, long cell) {
        return (Words.plain(memory, cell + PLACE) & BORN) != 0;
    }

    public static boolean isTombstone(MemorySegment memory, long cell) {
        return (Words.plain(memory, cell + PLACE) & TOMBSTONE) != 0;
    }

    /** Returns where the delta begins in the bar. */
    public static long deltaOffset(MemorySegment memory, long cell) {
        return Words.plain(memory, cell + PLACE) & 0xffff_ffffL;
    }

    /** Returns the bytes of the delta; 0 if there is none. */
    public static long deltaBytes(MemorySegment memory, long cell) {
        return Words.plain(memory, cell + PLACE) >>> 32 & 0x3fff_ffffL;
    }

    public static void born(MemorySegment memory, long cell, long stamp, long writer) {
        put(memory, cell, stamp, writer, BORN, 0);
    }

    public static void tombstone(MemorySegment memory, long cell, long stamp, long writer) {
        put(memory, cell, stamp, writer, TOMBSTONE, 0);
    }

    public static void update(
            MemorySegment memory, long cell, long stamp, long writer, long offset, long bytes, long bitmap) {
        put(memory, cell, stamp, writer, bytes << 32 | offset, bitmap);
    }

    public static void clear(MemorySegment memory, long cell) {
        put(memory, cell, 0, 0, 0, 0);
    }

    private static void put(MemorySegment memory, long cell, long stamp, long writer, long place, long bitmap) {
        Words.plain(memory, cell + STAMP, stamp);
        Words.plain(memory, cell + WRITER, writer);
        Words.plain(memory, cell + PLACE, place);
        Words.plain(memory, cell + BITMAP, bitmap);
    }

    private static long offset(String field) {
        return CELL.byteOffset(PathElement.groupElement(field));
    }
}
