package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.util.function.ObjIntConsumer;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * The owners of the granules of a region: one word per granule. The words lie in the region itself, so that every
 * process sees them and they survive a crash.
 *
 * <pre>
 *    63  62  61           39  38             0
 *    +---+---+--------------+----------------+
 *    | 0 | 0 |      0       |       0        |   free
 *    | 1 | 0 |   session    |     length     |   HEAD: first granule of an extent; length in granules;
 *    |   |   |              |                |         session 0 = the pool
 *    | 0 | 1 |      0       |    distance    |   BODY: the HEAD is this many granules before
 *    +---+---+--------------+----------------+
 * </pre>
 *
 * <p><b>Crash.</b> The HEAD alone makes an extent. It is written last by an allocation and cleared first by a free. So
 * a crash between any two words leaves at most BODY words that no HEAD covers; {@link #repair} clears those.
 *
 * <p><b>Concurrency.</b> A session that changes the map holds the node's control lock. {@link #survey} may run at any
 * time.
 */
class ExtentMap {
    private static final long HEAD = 1L << 63;
    private static final long BODY = 1L << 62;
    private static final int SESSION_SHIFT = 39;
    private static final long COUNT_MASK = (1L << SESSION_SHIFT) - 1;

    /** The owner of extents that outlive every session. No recovery frees them. */
    static final int POOL = 0;

    private final MemorySegment whole;
    private final MemorySegment data;
    private final long granule;
    private final long granules;
    private long hint;

    /** Allocated and free memory at one moment. */
    record Survey(long allocatedBytes, long freeBytes, int extents, long largestFreeBytes) {}

    ExtentMap(MemorySegment wholeRegion) {
        whole = wholeRegion;
        granule = Words.plain(wholeRegion, RegionLayout.GRANULE);
        granules = Words.plain(wholeRegion, RegionLayout.GRANULES);
        data = wholeRegion.asSlice(Words.plain(wholeRegion, RegionLayout.DATA));
        Checks.invariant(data.byteSize() == granules * granule, "the map covers the data", data.byteSize());
    }

    /** Allocates whole granules of zeroed memory for a session. Returns null if no contiguous space is left. */
    Extent allocate(long bytes, int session) {
        Checks.argument(session >= POOL && session < NodeLayout.SESSION_NUMBERS, "a session has 23 bits");
        if (bytes <= 0 || bytes > data.byteSize()) return null;
        long length = (bytes + granule - 1) / granule;
        long first = find(length);
        if (first < 0) return null;
        hint = first + length;
        for (long i = 1; i < length; i++) write(first + i, BODY | i);
        zero(first, length);
        // ---- the extent exists from here on ----
        write(first, HEAD | (long) session << SESSION_SHIFT | length);
        return new Extent(first * granule, length * granule);
    }

    /** Frees an extent. Returns false unless it equals an allocated one. */
    boolean free(Extent extent) {
        long first = extent.offset() / granule;
        if (extent.offset() < 0 || extent.offset() % granule != 0 || first >= granules) return false;
        long word = word(first);
        if (!isHead(word) || extent.bytes() != length(first, word) * granule) return false;
        clear(first, length(first, word));
        return true;
    }

    /** Clears the unfinished work of a crashed session. Returns the number of changed words. */
    int repair() {
        int changed = 0;
        for (long i = 0; i < granules; ) {
            long word = word(i);
            if (isHead(word)) {
                i += length(i, word);
                continue;
            }
            if (word != 0) {
                write(i, 0);
                changed++;
            }
            i++;
        }
        return changed;
    }

    /**
     * Counts allocated and free memory. Without the control lock, an extent that is being allocated or freed may or may
     * not be counted.
     */
    Survey survey() {
        long allocated = 0;
        long run = 0;
        long longest = 0;
        int extents = 0;
        for (long i = 0; i < granules; ) {
            long word = word(i);
            if (isHead(word)) {
                extents++;
                allocated += length(i, word);
                i += length(i, word);
                run = 0;
                continue;
            }
            run = word == 0 ? run + 1 : 0;
            longest = Math.max(longest, run);
            i++;
        }
        return new Survey(allocated * granule, (granules - allocated) * granule, extents, longest * granule);
    }

    /**
     * Visits every extent in the order of offsets. Without the control lock, an extent that is being allocated or freed
     * may be missing.
     */
    void visit(ObjIntConsumer<Extent> visitor) {
        for (long i = 0; i < granules; ) {
            long word = word(i);
            long length = isHead(word) ? length(i, word) : 1;
            if (isHead(word)) visitor.accept(new Extent(i * granule, length * granule), session(word));
            i += length;
        }
    }

    /**
     * Finds the first fit after the last allocation, then from the beginning. So unused memory is found without a scan
     * of older extents.
     */
    private long find(long length) {
        long found = find(hint, length);
        return found >= 0 || hint == 0 ? found : find(0, length);
    }

    private long find(long from, long length) {
        long first = from;
        for (long i = from; i - first < length; ) {
            if (granules - first < length) return -1;
            long word = word(i);
            i += isHead(word) ? length(i, word) : 1;
            if (word != 0) first = i;
        }
        return first;
    }

    private void clear(long first, long length) {
        for (long i = 0; i < length; i++) write(first + i, 0);
    }

    /**
     * Zeroes granules in whole words. So a late reader of freed memory sees old words and zeroes, but no mixture in a
     * word.
     */
    private void zero(long first, long length) {
        data.asSlice(first * granule, length * granule).fill((byte) 0);
    }

    private long word(long index) {
        return Words.acquire(whole, RegionLayout.EXTENT_MAP + index * Words.BYTES);
    }

    /** Writes one word of the map. Every change passes here; a test crashes between any two of them. */
    void write(long index, long word) {
        Words.release(whole, RegionLayout.EXTENT_MAP + index * Words.BYTES, word);
    }

    private static boolean isHead(long word) {
        return word < 0;
    }

    private static int session(long head) {
        return (int) (head >>> SESSION_SHIFT) & (NodeLayout.SESSION_NUMBERS - 1);
    }

    /**
     * Returns the length of an extent after checking it. A scan that trusts a wrong length would skip live extents, or
     * never end.
     */
    private long length(long index, long head) {
        long length = head & COUNT_MASK;
        if (length == 0 || length > granules - index || (head & BODY) != 0)
            throw new MemoryNodeException(Reason.CORRUPT, "the extent map is damaged: granule=" + index);
        return length;
    }
}
