package tidepool.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.node.journal.PersistentMapping;
import tidepool.node.journal.RegionFiles;

/**
 * The lines of persistent memory that were written and may still be in the processor's caches: ranges of whole lines,
 * of all pools and connections. Only the node's loop adds and forces them. A call on the control thread itself forces
 * the lines that it has zeroed.
 */
final class UnflushedLines {
    /** Limit of ranges. If no FLUSH comes before this number is reached, all ranges are forced. */
    static final int MAX_LINES = 1 << 14;

    private final RegionFiles files;
    private final PersistentMapping mapping;
    private final AtomicLong forced = new AtomicLong();
    private MemorySegment[] memory = new MemorySegment[64];
    private long[] from = new long[64];
    private long[] to = new long[64];
    private int count;

    UnflushedLines(RegionFiles files, PersistentMapping mapping) {
        this.files = files;
        this.mapping = mapping;
    }

    RegionFiles files() {
        return files;
    }

    /** Called when bytes of a region were written. */
    void written(MemorySegment whole, long offset, long length) {
        long first = offset & -PersistentMapping.LINE;
        long end = end(offset, length);
        int last = count - 1;
        if (count > 0 && memory[last] == whole && first <= to[last] && from[last] <= end) {
            from[last] = Math.min(from[last], first);
            to[last] = Math.max(to[last], end);
            return;
        }
        if (count == MAX_LINES) force();
        if (count == memory.length) grow();
        memory[count] = whole;
        from[count] = first;
        to[count++] = end;
    }

    private static long end(long offset, long length) {
        return offset + length + PersistentMapping.LINE - 1 & -PersistentMapping.LINE;
    }

    private void grow() {
        memory = Arrays.copyOf(memory, 2 * count);
        from = Arrays.copyOf(from, 2 * count);
        to = Arrays.copyOf(to, 2 * count);
    }

    /** Returns when everything that was written would survive a loss of power. */
    void force() {
        for (int i = 0; i < count; i++) {
            force(memory[i], from[i], to[i]);
            memory[i] = null;
        }
        count = 0;
    }

    /** Returns when these bytes would survive a loss of power. Any thread may call it. */
    void force(MemorySegment whole, long offset, long end) {
        long first = offset & -PersistentMapping.LINE;
        long last = end(end, 0);
        mapping.force(whole, first, last - first);
        forced.addAndGet((last - first) / PersistentMapping.LINE);
    }

    /** Drops the ranges of a deleted region; its contents are not needed any more. */
    void forget(MemorySegment whole) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (memory[i] == whole) continue;
            memory[left] = memory[i];
            from[left] = from[i];
            to[left++] = to[i];
        }
        Arrays.fill(memory, left, count, null);
        count = left;
    }

    /** Returns the number of lines forced so far. */
    long forced() {
        return forced.get();
    }

    /** Removes a region's file after the journal has its deletion. If this fails, the next start removes the file. */
    void remove(int pool, int region) {
        try {
            files.remove(pool, region);
        } catch (IOException e) {
            System.getLogger("tidepool.node")
                    .log(
                            System.Logger.Level.WARNING,
                            "the file of a freed region cannot be removed ({0}): {1}",
                            e.getMessage(),
                            files.path(pool, region));
        }
    }
}
