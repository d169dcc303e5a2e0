package tidepool.store.motor;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;

/**
 * A value package (Vpkg, §4.1): the newest value of a row, at the beginning of the block that belongs to its tuple.
 *
 * <pre>
 *     0         8                8+n        16+n
 *     +---------+----------------+----------+--------------------------
 *     | stamp   | value n        | checksum | bar: deltas …
 *     +---------+----------------+----------+--------------------------
 * </pre>
 *
 * The stamp is that of the newest version that is no tombstone. The checksum covers stamp and value and begins with the
 * key, so that neither a torn package nor one of another row is taken for this row's. It replaces the anchors of the
 * paper, which prove nothing where the words of a WRITE land in any order.
 *
 * <pre>
 *    field                    written by                                    read by
 *    stamp, value, checksum   the holder of the lock, after the delta and   every transaction that needs the value;
 *                             before the tuple; recovery, which puts back   recovery
 *                             the value before
 * </pre>
 */
public final class PackageLayout {
    /** The word before the value; the checksum lies behind the value. */
    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("stamp")) // of the newest version that is no tombstone
            .withName("value-package");

    public static final long STAMP = 0;
    public static final long VALUE = HEADER.byteSize();

    static {
        Checks.size(HEADER, 8);
    }

    private PackageLayout() {}

    /** Returns the bytes of the package of a value. */
    public static long bytes(long valueBytes) {
        return 2 * Words.BYTES + valueBytes;
    }

    public static long stamp(MemorySegment memory, long at) {
        return Words.plain(memory, at + STAMP);
    }

    /** Puts stamp and checksum around a value that is in place. */
    public static void seal(MemorySegment memory, long at, long valueBytes, long key, long stamp) {
        Words.plain(memory, at + STAMP, stamp);
        Words.plain(memory, at + VALUE + valueBytes, checksum(memory, at, valueBytes, key));
    }

    /** Returns whether the memory that has landed is the whole value of that key and that version. */
    public static boolean isWhole(MemorySegment memory, long at, long valueBytes, long key, long stamp) {
        return stamp(memory, at) == stamp
                && Words.plain(memory, at + VALUE + valueBytes) == checksum(memory, at, valueBytes, key);
    }

    private static long checksum(MemorySegment memory, long at, long valueBytes, long key) {
        return Checksum64.of(memory, at, VALUE + valueBytes, key);
    }
}
