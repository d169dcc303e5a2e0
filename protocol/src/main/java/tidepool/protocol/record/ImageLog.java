package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/**
 * The log of one memory node: the whole write set by name, and images of what lies on that node. An undo log has them as
 * they were, with their versions; a redo log as they shall be.
 */
public final class ImageLog {
    /** In the length of an object's body: its image is in this log, because its node holds the object. */
    private static final long HERE = 1L << 63;

    private ImageLog() {}

    /** Bytes of the log for a node that holds the whole write set. */
    public static long bytes(WriteSet writes) {
        long bytes = LogLayout.ENTRIES;
        for (int i = 0; i < writes.count(); i++)
            bytes += LogLayout.ENTRY_BYTES + (writes.get(i).written ? Words.BYTES + writes.get(i).bodyBytes : 0);
        return bytes;
    }

    /** Bytes of the log for a node; 0 if nothing of the write set lies there. */
    public static long bytes(WriteSet writes, Placement placement, int node) {
        long images = 0;
        for (int i = 0; i < writes.count(); i++)
            if (isHere(writes.get(i), placement, node)) images += Words.BYTES + writes.get(i).bodyBytes;
        return images == 0 ? 0 : LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES + images;
    }

    /** The old images: from them an update in place is undone. */
    public static void undo(
            MemorySegment memory, long at, long bytes, long txn, WriteSet writes, Placement placement, int node) {
        long image = names(memory, at, bytes, txn, writes, placement, node);
        for (int i = 0; i < writes.count(); i++) {
            Target target = writes.get(i);
            if (!isHere(target, placement, node)) continue;
            long old = Words.BYTES + target.bodyBytes;
            MemorySegment.copy(memory, target.landed + ObjectLayout.VERSION, memory, image, old);
            image += old;
        }
        seal(memory, at, bytes, txn);
    }

    /** The new images: from them a transaction is carried out by whoever finds the log. */
    public static void redo(
            MemorySegment memory, long at, long bytes, long txn, WriteSet writes, Placement placement, int node) {
        redo(memory, at, bytes, txn, writes, placement, node, false);
    }

    /**
     * The same.
     *
     * @param byStatus whether the log decides nothing by being whole: its status word will
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
        long image = names(memory, at, bytes, txn, writes, placement, node);
        if (byStatus) Words.plain(memory, at + LogLayout.OBJECTS, LogLayout.BY_STATUS | writes.count());
        for (int i = 0; i < writes.count(); i++) {
            Target target = writes.get(i);
            if (!isHere(target, placement, node)) continue;
            Words.plain(memory, image, target.isRead() ? target.expected : target.version(memory)); // what it replaces
            MemorySegment.copy(memory, target.staged, memory, image + Words.BYTES, target.bodyBytes);
            image += Words.BYTES + target.bodyBytes;
        }
        seal(memory, at, bytes, txn);
    }

    /** Writes the header and the names; returns where the images begin. */
    private static long names(
            MemorySegment memory, long at, long bytes, long txn, WriteSet writes, Placement placement, int node) {
        Words.plain(memory, at + LogLayout.MAGIC_AND_LENGTH, LogLayout.MAGIC << 32 | bytes);
        Words.plain(memory, at + LogLayout.TXN, txn);
        Words.plain(memory, at + LogLayout.STATUS, 0);
        Words.plain(memory, at + LogLayout.OBJECTS, writes.count());
        Words.plain(memory, at + LogLayout.CHECKSUM, 0);
        for (int i = 0; i < writes.count(); i++) {
            long entry = at + LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES;
            Target target = writes.get(i);
            long here = isHere(target, placement, node) ? HERE : 0;
            Words.plain(memory, entry, target.pointer);
            Words.plain(memory, entry + Words.BYTES, here | (target.written ? target.bodyBytes : 0));
        }
        return at + LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES;
    }

    /** What is only locked is named, so that it is unlocked, and has no image. */
    private static boolean isHere(Target target, Placement placement, int node) {
        return target.written && placement.holds(node, Pointer.partition(target.pointer));
    }

    private static void seal(MemorySegment memory, long at, long bytes, long txn) {
        Words.plain(memory, at + LogLayout.CHECKSUM, Checksum64.of(memory, at, bytes, txn));
    }

    // ---- of a log that has landed

    /** How long a log says it is, by its first word; 0 if there is none, or none that a slot can hold. */
    public static long bytes(MemorySegment memory, long at, long mostBytes) {
        long first = Words.plain(memory, at + LogLayout.MAGIC_AND_LENGTH);
        long bytes = first & 0xffff_ffffL;
        boolean plausible = first >>> 32 == LogLayout.MAGIC
                && bytes >= LogLayout.ENTRIES
                && bytes <= mostBytes
                && bytes % Words.BYTES == 0;
        return plausible ? bytes : 0;
    }

    /** Whether a log that has landed is whole. The checksum was made over zeros in its own place and that of the status. */
    public static boolean isWhole(MemorySegment memory, long at, long mostBytes) {
        long bytes = bytes(memory, at, mostBytes);
        if (bytes == 0) return false;
        long objects = (int) Words.plain(memory, at + LogLayout.OBJECTS);
        if (objects <= 0 || objects > (bytes - LogLayout.ENTRIES) / LogLayout.ENTRY_BYTES) return false;
        long checksum = Words.plain(memory, at + LogLayout.CHECKSUM);
        long status = Words.plain(memory, at + LogLayout.STATUS);
        Words.plain(memory, at + LogLayout.CHECKSUM, 0);
        Words.plain(memory, at + LogLayout.STATUS, 0);
        boolean whole = checksum == Checksum64.of(memory, at, bytes, Words.plain(memory, at + LogLayout.TXN));
        Words.plain(memory, at + LogLayout.CHECKSUM, checksum);
        Words.plain(memory, at + LogLayout.STATUS, status);
        return whole;
    }

    /**
     * Whether two whole logs of a transaction name the same write set. A log that was written ahead of some locks is written
     * again when more are taken; as long as one of either kind is there, the transaction has written nothing else.
     */
    public static boolean isSameWriteSet(MemorySegment one, MemorySegment other) {
        if (objects(one) != objects(other)) return false;
        for (int i = 0; i < objects(one); i++)
            if (pointer(one, i) != pointer(other, i) || bodyBytes(one, i) != bodyBytes(other, i)) return false;
        return true;
    }

    /** Whether a whole log says nothing about the outcome: its status does. */
    public static boolean isByStatus(MemorySegment log) {
        return (Words.plain(log, LogLayout.OBJECTS) & LogLayout.BY_STATUS) != 0;
    }

    /** Whether the status of a log says that its transaction has happened. */
    public static boolean isDecided(MemorySegment log) {
        return Words.plain(log, LogLayout.STATUS) == Words.plain(log, LogLayout.TXN);
    }

    public static int objects(MemorySegment log) {
        return (int) Words.plain(log, LogLayout.OBJECTS);
    }

    /** Where the i-th object of the write set lies. */
    public static long pointer(MemorySegment log, int i) {
        return Words.plain(log, LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES);
    }

    /** 0 of an object that is only locked. */
    public static long bodyBytes(MemorySegment log, int i) {
        return word(log, i) & ~HERE;
    }

    /** Whether the log has the image of the i-th object. */
    public static boolean hasImage(MemorySegment log, int i) {
        return word(log, i) < 0;
    }

    /** Where the image of the i-th object begins, which the log must have: a version, then a body. */
    public static long image(MemorySegment log, int i) {
        long at = LogLayout.ENTRIES + objects(log) * LogLayout.ENTRY_BYTES;
        for (int before = 0; before < i; before++)
            if (hasImage(log, before)) at += Words.BYTES + bodyBytes(log, before);
        return at;
    }

    private static long word(MemorySegment log, int i) {
        return Words.plain(log, LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES + Words.BYTES);
    }
}
