package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.tcp.journal.LineMapping;
import tidepool.tcp.journal.RegionFiles;

/**
 * What was written to persistent memory and may still be in the processor's caches: ranges of whole lines, of all pools and
 * connections. The node's loop alone writes and forces them; a call beside it forces what it has just zeroed itself.
 */
final class Lines {
    /** Ranges that are remembered. If nobody flushes them, they are forced when there are so many. */
    static final int MOST = 1 << 14;

    private final RegionFiles files;
    private final LineMapping mapping;
    private final AtomicLong forced = new AtomicLong();
    private MemorySegment[] memory = new MemorySegment[64];
    private long[] from = new long[64];
    private long[] to = new long[64];
    private int count;

    Lines(RegionFiles files, LineMapping mapping) {
        this.files = files;
        this.mapping = mapping;
    }

    RegionFiles files() {
        return files;
    }

    /** Bytes of a region were written. */
    void written(MemorySegment whole, long offset, long length) {
        long first = offset & -LineMapping.LINE;
        long end = end(offset, length);
        int last = count - 1;
        if (count > 0 && memory[last] == whole && first <= to[last] && from[last] <= end) {
            from[last] = Math.min(from[last], first);
            to[last] = Math.max(to[last], end);
            return;
        }
        if (count == MOST) force();
        if (count == memory.length) grow();
        memory[count] = whole;
        from[count] = first;
        to[count++] = end;
    }

    private static long end(long offset, long length) {
        return offset + length + LineMapping.LINE - 1 & -LineMapping.LINE;
    }

    private void grow() {
        memory = Arrays.copyOf(memory, 2 * count);
        from = Arrays.copyOf(from, 2 * count);
        to = Arrays.copyOf(to, 2 * count);
    }

    /** Returns when everything that was written would outlast a loss of power. */
    void force() {
        for (int i = 0; i < count; i++) {
            force(memory[i], from[i], to[i]);
            memory[i] = null;
        }
        count = 0;
    }

    /** The same for these bytes alone, at once, by any thread. */
    void force(MemorySegment whole, long offset, long end) {
        long first = offset & -LineMapping.LINE;
        long behind = end(end, 0);
        mapping.force(whole, first, behind - first);
        forced.addAndGet((behind - first) / LineMapping.LINE);
    }

    /** The region is gone, and nobody asks for what was in it. */
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

    /** Lines that were forced so far. */
    long forced() {
        return forced.get();
    }

    /** The journal has said that a region is gone. What cannot be removed now is removed at the next start. */
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
