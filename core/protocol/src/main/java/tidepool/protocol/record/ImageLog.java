package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/**
 * The log of one memory node: the pointers of the whole write set, and images of the objects on that node. An undo log
 * has the old images, with their versions. A redo log has the new ones, with the versions that they replace.
 */
public final class ImageLog {
    /** Flag in the length of an object's body: the image is in this log, because the log's node holds the object. */
    private static final long HERE = 1L << 63;

    private ImageLog() {}

    /** Returns the bytes of the log for a node that holds the whole write set. */
    public static long bytes(WriteSet writes) {
        long bytes = LogLayout.ENTRIES;
        for (int i = 0; i < writes.count(); i++)
            bytes += LogLayout.ENTRY_BYTES + (writes.get(i).written ? Words.BYTES + writes.get(i).bodyBytes : 0);
        return bytes;
    }

    /** Returns the bytes of the log for a node; 0 if no object of the write set lies there. */
    public static long bytes(WriteSet writes, Placement placement, int node) {
        long images = 0;
        for (int i = 0; i < writes.count(); i++)
            if (isHere(writes.get(i), placement, node)) images += Words.BYTES + writes.get(i).bodyBytes;
        return images == 0 ? 0 : LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES + images;
    }

    /**
     * Makes an undo log: the old images, from which an update in place is undone. The stamp is the commit timestamp;
     * it is 0 if the protocol has none.
     */
    public static void undo(
            MemorySegment memory,
            long at,
            long bytes,
            long txn,
            long stamp,
            WriteSet writes,
            Placement placement,
            int node) {
        long image = names(memory, at, bytes, txn, writes, placement, node);
        stamp(memory, at, stamp, writes);
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget target = writes.get(i);
            if (!isHere(target, placement, node)) continue;
            long old = Words.BYTES + target.bodyBytes;
            MemorySegment.copy(memory, target.landed + ObjectLayout.VERSION, memory, image, old);
            image += old;
        }
        seal(memory, at, bytes, txn);
    }

    /** Makes a redo log: the new images, from which a recoverer can carry out the transaction. */
    public static void redo(
            MemorySegment memory, long at, long bytes, long txn, WriteSet writes, Placement placement, int node) {
        redo(memory, at, bytes, txn, 0, writes, placement, node, false);
    }

    /** Makes the redo log of a transaction that has a commit timestamp. */
    public static void redo(
            MemorySegment memory,
            long at,
            long bytes,
            long txn,
            long stamp,
            WriteSet writes,
            Placement placement,
            int node) {
        redo(memory, at, bytes, txn, stamp, writes, placement, node, false);
    }

    /**
     * Makes the redo log of a transaction that may be decided after its log is whole.
     *
     * @param byStatus whether the status word decides the transaction; a whole log alone then decides nothing
     */
    public static void redo(
            MemorySegment memory,
            long at,
            long bytes,
            long txn,
            WriteSet writes,
            Placement placement,
            int node,
            boolean byStatus) {
        redo(memory, at, bytes, txn, 0, writes, placement, node, byStatus);
    }

    private static void redo(
            MemorySegment memory,
            long at,
            long bytes,
            long txn,
            long stamp,
            WriteSet writes,
            Placement placement,
            int node,
            boolean byStatus) {
        long image = names(memory, at, bytes, txn, writes, placement, node);
        if (byStatus) Words.plain(memory, at + LogLayout.OBJECTS, LogLayout.BY_STATUS | writes.count());
        stamp(memory, at, stamp, writes);
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget target = writes.get(i);
            if (!isHere(target, placement, node)) continue;
            Words.plain(memory, image, target.isRead() ? target.expected : target.version(memory)); // replaced version
            MemorySegment.copy(memory, target.staged, memory, image + Words.BYTES, target.bodyBytes);
            image += Words.BYTES + target.bodyBytes;
        }
        seal(memory, at, bytes, txn);
    }

    private static void stamp(MemorySegment memory, long at, long stamp, WriteSet writes) {
        if (stamp == 0) return;
        Words.plain(memory, at + LogLayout.STATUS, stamp);
        Words.plain(memory, at + LogLayout.OBJECTS, LogLayout.STAMPED | writes.count());
    }

    /** Writes the header and the pointers; returns where the images begin. */
    private static long names(
            MemorySegment memory, long at, long bytes, long txn, WriteSet writes, Placement placement, int node) {
        Words.plain(memory, at + LogLayout.MAGIC_AND_LENGTH, LogLayout.MAGIC << 32 | bytes);
        Words.plain(memory, at + LogLayout.TXN, txn);
        Words.plain(memory, at + LogLayout.STATUS, 0);
        Words.plain(memory, at + LogLayout.OBJECTS, writes.count());
        Words.plain(memory, at + LogLayout.CHECKSUM, 0);
        for (int i = 0; i < writes.count(); i++) {
            long entry = at + LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES;
            WriteTarget target = writes.get(i);
            long here = isHere(target, placement, node) ? HERE : 0;
            Words.plain(memory, entry, target.pointer);
            Words.plain(memory, entry + Words.BYTES, here | (target.written ? target.bodyBytes : 0));
        }
        return at + LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES;
    }

    /** An object that is only locked has a pointer in the log, so that it is unlocked, and no image. */
    private static boolean isHere(WriteTarget target, Placement placement, int node) {
        return target.written && placement.holds(node, Pointer.partition(target.pointer));
    }

    private static void seal(MemorySegment memory, long at, long bytes, long txn) {
        Words.plain(memory, at + LogLayout.CHECKSUM, Checksum64.of(memory, at, bytes, txn));
    }

    // ---- reading a landed log

    /**
     * Returns the length that a log states in its first word; 0 if there is no log, or its length does not fit a slot.
     */
    public static long bytes(MemorySegment memory, long at, long maxBytes) {
        long first = Words.plain(memory, at + LogLayout.MAGIC_AND_LENGTH);
        long bytes = first & 0xffff_ffffL;
        boolean plausible = first >>> 32 == LogLayout.MAGIC
                && bytes >= LogLayout.ENTRIES
                && bytes <= maxBytes
                && bytes % Words.BYTES == 0;
        return plausible ? bytes : 0;
    }

    /**
     * Whether a landed log is whole. Its checksum was computed with zeros in the words of checksum and status; the
     * status word counts if it holds a stamp.
     */
    public static boolean isWhole(MemorySegment memory, long at, long maxBytes) {
        long bytes = bytes(memory, at, maxBytes);
        if (bytes == 0) return false;
        long objects = (int) Words.plain(memory, at + LogLayout.OBJECTS);
        if (objects <= 0 || objects > (bytes - LogLayout.ENTRIES) / LogLayout.ENTRY_BYTES) return false;
        long checksum = Words.plain(memory, at + LogLayout.CHECKSUM);
        long status = Words.plain(memory, at + LogLayout.STATUS);
        Words.plain(memory, at + LogLayout.CHECKSUM, 0);
        if (!isStamped(memory, at)) Words.plain(memory, at + LogLayout.STATUS, 0);
        boolean whole = checksum == Checksum64.of(memory, at, bytes, Words.plain(memory, at + LogLayout.TXN));
        Words.plain(memory, at + LogLayout.CHECKSUM, checksum);
        Words.plain(memory, at + LogLayout.STATUS, status);
        return whole;
    }

    /**
     * Whether two whole logs of a transaction name one write set. A log that was written ahead of some locks is written
     * again when more locks are taken. While logs of both forms exist, the transaction has written nothing else.
     */
    public static boolean isSameWriteSet(MemorySegment one, MemorySegment other) {
        if (objects(one) != objects(other)) return false;
        for (int i = 0; i < objects(one); i++)
            if (pointer(one, i) != pointer(other, i) || bodyBytes(one, i) != bodyBytes(other, i)) return false;
        return true;
    }

    /** Returns the commit timestamp of the transaction; 0 if its protocol has none. */
    public static long stamp(MemorySegment log) {
        return isStamped(log, 0) ? Words.plain(log, LogLayout.STATUS) : 0;
    }

    private static boolean isStamped(MemorySegment memory, long at) {
        return (Words.plain(memory, at + LogLayout.OBJECTS) & LogLayout.STAMPED) != 0;
    }

    /** Whether the status word decides the transaction, and not the fact that the log is whole. */
    public static boolean isByStatus(MemorySegment log) {
        return (Words.plain(log, LogLayout.OBJECTS) & LogLayout.BY_STATUS) != 0;
    }

    /** Whether the status word says that the transaction has happened. */
    public static boolean isDecided(MemorySegment log) {
        return Words.plain(log, LogLayout.STATUS) == Words.plain(log, LogLayout.TXN);
    }

    public static int objects(MemorySegment log) {
        return (int) Words.plain(log, LogLayout.OBJECTS);
    }

    /** Returns where the i-th object of the write set lies. */
    public static long pointer(MemorySegment log, int i) {
        return Words.plain(log, LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES);
    }

    /** Returns the body length of the i-th object; 0 for an object that is only locked. */
    public static long bodyBytes(MemorySegment log, int i) {
        return word(log, i) & ~HERE;
    }

    /** Whether the log has the image of the i-th object. */
    public static boolean hasImage(MemorySegment log, int i) {
        return word(log, i) < 0;
    }

    /** Returns where the image of the i-th object begins, which the log must have: a version, then a body. */
    public static long image(MemorySegment log, int i) {
        long at = LogLayout.ENTRIES + objects(log) * LogLayout.ENTRY_BYTES;
        for (int before = 0; before < i; before++)
            if (hasImage(log, before)) at += Words.BYTES + bodyBytes(log, before);
        return at;
    }

    /**
     * Returns where the images of all objects begin, for the many questions about a long log: {@link #image} counts
     * from the first one. The place of an object without an image means nothing.
     */
    static long[] images(MemorySegment log) {
        long[] images = new long[objects(log)];
        long at = LogLayout.ENTRIES + images.length * LogLayout.ENTRY_BYTES;
        for (int i = 0; i < images.length; i++) {
            images[i] = at;
            if (hasImage(log, i)) at += Words.BYTES + bodyBytes(log, i);
        }
        return images;
    }

    private static long word(MemorySegment log, int i) {
        return Words.plain(log, LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES + Words.BYTES);
    }
}
