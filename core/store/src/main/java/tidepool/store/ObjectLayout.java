package tidepool.store;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;

/**
 * The layout of an object: anything that a transaction of the FORD family can lock and write, that is, a record, the
 * head of a bucket, or the count of overflow buckets. It has two words that are swapped and written alone, then a body
 * that proves that it is whole.
 *
 * <pre>
 *     0        8        16      24      32       40            40+n
 *     +--------+--------+-------+-------+--------+------------+-----------+
 *     |  LOCK  |  VER   |  key  | flags | writer | content n  | checksum  |
 *     +--------+--------+-------+-------+--------+------------+-----------+
 *                       |&lt;-------------------- body --------------------&gt;|
 * </pre>
 *
 * LOCK (on the primary): 0, or R and the id of the transaction that holds it; HDTX has a bit for waiting requests in
 * the place of R. A CAS takes it ({@code RecordVerbs}, {@code HdtxVerbs}). A WRITE or a CAS of the holder, or recovery,
 * frees it. VER (on every replica): INV while the writer is not yet visible, and the id of the last writer. Visibility
 * is a bit of the version and not of the lock. So marking is a plain WRITE, which is ordered before the WRITE of the
 * body without a fence. The body names its writer as well. A reader samples VER after the body; VER equal to {visible,
 * body's writer} protects it against a roll-back.
 *
 * <p>Zeroed memory is a valid object that holds nothing and was never written.
 *
 * <pre>
 *    field           written by                                      read by
 *    LOCK            transactions and replica fillers, by CAS; the   transactions that lock, read or validate;
 *                    holder, recovery, a roster change               recovery
 *    VER             the holder: INV ahead of the body, visible      readers after the body, validation, the next
 *                    after the commit point; recovery, a roster      holder; recovery and a roster change: who wrote
 *                    change, replica fillers                         this copy
 *    key, flags,     the holder, with the content; recovery, a       readers: is it this key, is it there, is it the
 *      writer        roster change, replica fillers: a whole body    writer that VER names
 *    content         as key                                          readers that have accepted the object
 *    checksum        as key: ObjectLayout.seal                       readers and recovery: is the body whole
 * </pre>
 */
public final class ObjectLayout {
    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("lock"), // 0 = free, otherwise R | id of the holder; meaningful on the primary
                    U64.withName("version"), // INV | id of the last writer; on every replica
                    U64.withName("key"), // lets a reader notice that a cached address was reused
                    U64.withName("flags"), // PRESENT; the table's number
                    U64.withName("writer")) // the id that the version has
            .withName("object-header");

    public static final long LOCK = offset("lock");
    public static final long VERSION = offset("version");
    public static final long BODY = offset("key");
    public static final long CONTENT = HEADER.byteSize();

    /** Offsets inside the body, for bodies that have landed or are being made. */
    public static final long BODY_KEY = 0;

    public static final long BODY_FLAGS = offset("flags") - BODY;
    public static final long BODY_WRITER = offset("writer") - BODY;
    public static final long BODY_CONTENT = CONTENT - BODY;

    /** In flags: the object holds a value. Otherwise it is empty, or a tombstone that names its deleter. */
    public static final long PRESENT = 1;

    private static final int TABLE_SHIFT = 16;

    static {
        Checks.size(HEADER, 40);
        Checks.invariant(VERSION == LOCK + Words.BYTES && BODY == VERSION + Words.BYTES, "lock, version, body");
    }

    private ObjectLayout() {}

    /** Returns the bytes of the body of an object with {@code contentBytes} of content. */
    public static long bodyBytes(long contentBytes) {
        return BODY_CONTENT + contentBytes + Words.BYTES;
    }

    /** Returns the bytes of the whole object. */
    public static long bytes(long contentBytes) {
        return BODY + bodyBytes(contentBytes);
    }

    public static long flags(int table, boolean present) {
        return (long) table << TABLE_SHIFT | (present ? PRESENT : 0);
    }

    /** Writes key, flags, writer and checksum of a body whose content is in place. */
    public static void seal(MemorySegment memory, long body, long bodyBytes, long key, long flags, long writer) {
        Words.plain(memory, body + BODY_KEY, key);
        Words.plain(memory, body + BODY_FLAGS, flags);
        Words.plain(memory, body + BODY_WRITER, writer);
        long checked = bodyBytes - Words.BYTES;
        Words.plain(memory, body + checked, Checksum64.of(memory, body, checked, writer));
    }

    /** Returns whether a body that has landed is one writer's whole image, or memory that was never written. */
    public static boolean isWhole(MemorySegment memory, long body, long bodyBytes) {
        long checked = bodyBytes - Words.BYTES;
        long writer = Words.plain(memory, body + BODY_WRITER);
        long checksum = Words.plain(memory, body + checked);
        if (writer != 0) return checksum == Checksum64.of(memory, body, checked, writer);
        for (long at = 0; at < bodyBytes; at += Words.BYTES) if (Words.plain(memory, body + at) != 0) return false;
        return true;
    }

    /**
     * Returns whether four bodies that have landed are each one writer's whole image. Faster than one after the other.
     */
    public static boolean areWhole(MemorySegment memory, long one, long two, long three, long four, long bodyBytes) {
        return Checksum64.areFour(
                memory,
                one,
                two,
                three,
                four,
                bodyBytes - Words.BYTES,
                Words.plain(memory, one + BODY_WRITER),
                Words.plain(memory, two + BODY_WRITER),
                Words.plain(memory, three + BODY_WRITER),
                Words.plain(memory, four + BODY_WRITER));
    }

    /** Returns whether a body that has landed holds a value. */
    public static boolean isPresent(MemorySegment memory, long body) {
        return (Words.plain(memory, body + BODY_FLAGS) & PRESENT) != 0;
    }

    /** Returns whether a body that has landed holds a value under this key. */
    public static boolean holds(MemorySegment memory, long body, long key) {
        return isPresent(memory, body) && Words.plain(memory, body + BODY_KEY) == key;
    }

    private static long offset(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }
}
