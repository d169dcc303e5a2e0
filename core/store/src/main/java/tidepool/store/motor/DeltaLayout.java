package tidepool.store.motor;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.schema.Attribute;
import tidepool.schema.Schema;

/**
 * A delta in the attribute bar of a row (§4.2): the attributes that one version has changed, as they were before it,
 * packed without holes in the order of their numbers. It names its version, and proves that it is whole.
 *
 * <pre>
 *     0         8        16                 16+n      24+n
 *     +---------+--------+------------------+----------+
 *     | stamp   | bitmap | attributes n     | checksum |      n is rounded up to a whole word
 *     +---------+--------+------------------+----------+
 *
 *    field                                 written by                         read by
 *    stamp, bitmap, attributes, checksum   the transaction whose version it   snapshots older than the version; the
 *                                          is, on every copy, before the      writer of the next version; recovery,
 *                                          value package                      which undoes the version
 * </pre>
 */
public final class DeltaLayout {
    /** The words before the attributes; the checksum lies behind the attributes. */
    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("stamp"), // of the version that changed them
                    U64.withName("bitmap")) // which attributes follow
            .withName("delta");

    private static final long BITMAP = HEADER.byteOffset(PathElement.groupElement("bitmap"));
    private static final long ATTRIBUTES = HEADER.byteSize();

    static {
        Checks.size(HEADER, 16);
    }

    private DeltaLayout() {}

    /** Returns the bytes of a delta with these attributes. */
    public static long bytes(Schema schema, long bitmap) {
        long packed = 0;
        for (long left = bitmap & all(schema); left != 0; left &= left - 1)
            packed += attribute(schema, left).bytes();
        return bytes(packed);
    }

    /** Returns the bytes of a delta with {@code attributeBytes} of attributes. */
    public static long bytes(long attributeBytes) {
        return ATTRIBUTES + (attributeBytes + Words.BYTES - 1 & -Words.BYTES) + Words.BYTES;
    }

    /** Returns the attributes in which two values of a table differ. */
    public static long changed(Schema schema, MemorySegment memory, long before, long after) {
        long bitmap = 0;
        for (int word = 0; word < schema.length() / Words.BYTES; word++) {
            long at = word * (long) Words.BYTES;
            long difference = Words.plain(memory, before + at) ^ Words.plain(memory, after + at);
            if (difference == 0) continue;
            for (long left = schema.attributesIn(word) & ~bitmap; left != 0; left &= left - 1) {
                Attribute a = attribute(schema, left);
                if ((difference & bits(a.offset() - at, a.offset() + a.bytes() - at)) != 0)
                    bitmap |= Long.lowestOneBit(left);
            }
        }
        return bitmap;
    }

    /**
     * Returns the bytes of a word between two places, which may lie before it and behind it. The first byte is the
     * lowest.
     */
    private static long bits(long from, long to) {
        long bits = -1;
        if (from > 0) bits &= -1L << Byte.SIZE * from;
        if (to < Words.BYTES) bits &= -1L >>> Byte.SIZE * (Words.BYTES - to);
        return bits;
    }

    /** Returns all attributes of the schema: a bitmap that has landed may have any bits. */
    private static long all(Schema schema) {
        return -1L >>> Long.SIZE - schema.attributes().size();
    }

    /** Returns the first attribute of a set that is not empty. */
    private static Attribute attribute(Schema schema, long set) {
        return schema.attributes().get(Long.numberOfTrailingZeros(set));
    }

    /** Makes the delta of a version: these attributes of the value before it. */
    public static void make(
            Schema schema, MemorySegment memory, long delta, long stamp, long bitmap, long before, long key) {
        Words.plain(memory, delta, stamp);
        Words.plain(memory, delta + BITMAP, bitmap);
        long bytes = bytes(schema, bitmap);
        Words.plain(memory, delta + bytes - 2 * Words.BYTES, 0); // clears the padding of the last word, if any
        pack(schema, memory, delta + ATTRIBUTES, bitmap, before);
        Words.plain(memory, delta + bytes - Words.BYTES, Checksum64.of(memory, delta, bytes - Words.BYTES, key));
    }

    /** Returns whether the memory that has landed is the whole delta of that key and that version. */
    public static boolean isWhole(MemorySegment memory, long delta, long bytes, long key, long stamp) {
        return Words.plain(memory, delta) == stamp
                && Words.plain(memory, delta + bytes - Words.BYTES)
                        == Checksum64.of(memory, delta, bytes - Words.BYTES, key);
    }

    public static long bitmap(MemorySegment memory, long delta) {
        return Words.plain(memory, delta + BITMAP);
    }

    /** Puts the attributes of a whole delta into a value. The value is then as it was before that version. */
    public static void undo(Schema schema, MemorySegment memory, long delta, long value) {
        unpack(schema, memory, delta + ATTRIBUTES, bitmap(memory, delta), value);
    }

    /** Packs these attributes of a value without holes. */
    public static void pack(Schema schema, MemorySegment memory, long packed, long bitmap, long value) {
        long at = packed;
        for (long left = bitmap & all(schema); left != 0; left &= left - 1) {
            Attribute a = attribute(schema, left);
            MemorySegment.copy(memory, value + a.offset(), memory, at, a.bytes());
            at += a.bytes();
        }
    }

    /** Puts packed attributes into a value. */
    public static void unpack(Schema schema, MemorySegment memory, long packed, long bitmap, long value) {
        long at = packed;
        for (long left = bitmap & all(schema); left != 0; left &= left - 1) {
            Attribute a = attribute(schema, left);
            MemorySegment.copy(memory, at, memory, value + a.offset(), a.bytes());
            at += a.bytes();
        }
    }
}
