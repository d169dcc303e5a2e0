package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/** Makes the undo log of one memory node: the whole write set by name, and the old images of what lies on that node. */
final class UndoLog {
    private UndoLog() {}

    /** Bytes of the log for a node; 0 if nothing of the write set lies there. */
    static long bytes(WriteSet writes, Placement placement, int node) {
        long images = 0;
        for (int i = 0; i < writes.count(); i++)
            if (placement.holds(node, Pointer.partition(writes.get(i).pointer)))
                images += Words.BYTES + writes.get(i).bodyBytes;
        return images == 0 ? 0 : LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES + images;
    }

    static void write(
            MemorySegment memory, long at, long bytes, long txn, WriteSet writes, Placement placement, int node) {
        Words.plain(memory, at + LogLayout.MAGIC_AND_LENGTH, LogLayout.MAGIC << 32 | bytes);
        Words.plain(memory, at + LogLayout.TXN, txn);
        Words.plain(memory, at + LogLayout.EPOCH, 0);
        Words.plain(memory, at + LogLayout.OBJECTS, writes.count());
        Words.plain(memory, at + LogLayout.CHECKSUM, 0);
        long image = at + LogLayout.ENTRIES + writes.count() * LogLayout.ENTRY_BYTES;
        for (int i = 0; i < writes.count(); i++) {
            Target target = writes.get(i);
            long entry = at + LogLayout.ENTRIES + i * LogLayout.ENTRY_BYTES;
            Words.plain(memory, entry, target.pointer);
            Words.plain(memory, entry + Words.BYTES, target.bodyBytes);
            if (!placement.holds(node, Pointer.partition(target.pointer))) continue;
            long old = Words.BYTES + target.bodyBytes;
            MemorySegment.copy(memory, target.landed + ObjectLayout.VERSION, memory, image, old);
            image += old;
        }
        Words.plain(memory, at + LogLayout.CHECKSUM, Checksum64.of(memory, at, bytes, txn));
    }

    /** How long a log says it is, by its first word; 0 if there is none, or none that a slot can hold. */
    static long bytes(MemorySegment memory, long at, long mostBytes) {
        long first = Words.plain(memory, at + LogLayout.MAGIC_AND_LENGTH);
        long bytes = first & 0xffff_ffffL;
        boolean plausible = first >>> 32 == LogLayout.MAGIC
                && bytes >= LogLayout.ENTRIES
                && bytes <= mostBytes
                && bytes % Words.BYTES == 0;
        return plausible ? bytes : 0;
    }

    /** Whether a log that has landed is whole. The checksum was made over a zero in its own place. */
    static boolean isWhole(MemorySegment memory, long at, long mostBytes) {
        long bytes = bytes(memory, at, mostBytes);
        if (bytes == 0) return false;
        long objects = Words.plain(memory, at + LogLayout.OBJECTS);
        if (objects <= 0 || LogLayout.ENTRIES + objects * LogLayout.ENTRY_BYTES > bytes) return false;
        long checksum = Words.plain(memory, at + LogLayout.CHECKSUM);
        Words.plain(memory, at + LogLayout.CHECKSUM, 0);
        boolean whole = checksum == Checksum64.of(memory, at, bytes, Words.plain(memory, at + LogLayout.TXN));
        Words.plain(memory, at + LogLayout.CHECKSUM, checksum);
        return whole;
    }
}
