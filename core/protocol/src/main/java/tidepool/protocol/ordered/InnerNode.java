package tidepool.protocol.ordered;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Words;
import tidepool.store.IndexNodeLayout;

/** An inner node of an index as it was read, or its root if that is a leaf. Never changed, so threads share it. */
final class InnerNode {
    final long number;
    final int level;
    final long next;
    private final int width;
    private final int entries;
    private final boolean isLast;
    private final byte[] keys; // those of the entries, then the high
    private final long[] children;
    private final long checksum;

    InnerNode(long number, MemorySegment memory, long at, int width) {
        this.number = number;
        this.level = IndexNodeLayout.level(memory, at);
        this.next = IndexNodeLayout.next(memory, at);
        this.width = width;
        this.entries = level == 0 ? 0 : IndexNodeLayout.entries(memory, at);
        this.isLast = IndexNodeLayout.isLast(memory, at);
        this.keys = new byte[(entries + 1) * width];
        this.children = new long[entries];
        this.checksum = checksum(memory, at);
        for (int i = 0; i < entries; i++) {
            IndexNodeLayout.copyKey(memory, IndexNodeLayout.key(at, level, width, i), keys, i * width, width);
            children[i] = IndexNodeLayout.child(memory, at, width, i);
        }
        IndexNodeLayout.copyKey(memory, IndexNodeLayout.high(at, width), keys, entries * width, width);
    }

    private static long checksum(MemorySegment memory, long at) {
        // The checksum and the writer of the row lie next to its value; the first word and a sum tell nodes apart, too.
        long sum = 0;
        for (int i = 0; i < IndexNodeLayout.BYTES; i += Words.BYTES)
            sum = sum * 31 + memory.get(ValueLayout.JAVA_LONG, at + i);
        return sum;
    }

    /** Whether the node in memory is this one, unchanged. */
    boolean isAt(MemorySegment memory, long at) {
        return checksum == checksum(memory, at);
    }

    /** Whether the keys that are searched lie to the right of all that this node covers. */
    boolean isLeftOf(byte[] key, int from, boolean isBelow) {
        if (isLast) return false;
        if (key == null) return true;
        int order = IndexNodeLayout.compare(keys, entries * width, key, from, width);
        return isBelow ? order < 0 : order <= 0;
    }

    /** Returns the entry that leads to a key, or to the greatest key below it. */
    int entryFor(byte[] key, int from, boolean isBelow) {
        if (key == null) return entries - 1;
        int low = 0;
        int high = entries;
        while (low < high) {
            int middle = low + high >>> 1;
            int order = IndexNodeLayout.compare(keys, middle * width, key, from, width);
            if (isBelow ? order < 0 : order <= 0) low = middle + 1;
            else high = middle;
        }
        return Math.max(0, low - 1);
    }

    int entries() {
        return entries;
    }

    long child(int entry) {
        return children[entry];
    }

    /** Compares the key of an entry with another key. */
    int compare(int entry, byte[] key, int from) {
        return IndexNodeLayout.compare(keys, entry * width, key, from, width);
    }
}
