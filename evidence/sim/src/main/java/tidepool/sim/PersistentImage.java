package tidepool.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeRegion;

/**
 * The data that a node has after a power failure: a second copy of the data of each region, which FLUSH updates line by
 * line. A line that differs from its copy was written and not flushed; the seed decides whether it survives the
 * failure. Control calls write the node's own tables (sessions, regions, extents), and these persist at once.
 */
class PersistentImage {
    static final long LINE = 1L << DirtyLines.LINE_SHIFT;

    private final Arena arena;
    final MemoryNode memory;
    private final List<MemorySegment> copies = new ArrayList<>();

    PersistentImage(Arena arena, MemoryNode memory) {
        this.arena = arena;
        this.memory = memory;
    }

    /** Called when memory of a region has changed. */
    void written(NodeRegion region, long offset, long length) {}

    /** Makes everything persistent that a link has written. */
    void flush(DirtyLines dirty) {
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            if (region == null) continue;
            if (dirty.isEverything()) {
                copyOf(region).copyFrom(region.data());
                continue;
            }
            BitSet lines = dirty.of(i);
            if (lines == null) continue;
            for (int line = lines.nextSetBit(0); line >= 0; line = lines.nextSetBit(line + 1)) persist(region, line);
        }
        dirty.clear();
    }

    /** Makes a line persistent: it was flushed, or the cache evicted it. */
    void persist(NodeRegion region, long line) {
        MemorySegment.copy(region.data(), line * LINE, copyOf(region), line * LINE, LINE);
    }

    /** Fails the power: of the lines that were not flushed, any subset survives. */
    void failPower(Randomness random, Coverage coverage) {
        // Some failures keep many lines, others few: subsets of all sizes.
        long[] keeps = new long[memory.regionCount()];
        for (int i = 0; i < keeps.length; i++) if (memory.region(i) != null) keeps[i] = random.nextLong(9);
        failPower((region, offset) -> random.chance(keeps[region], 8), coverage);
    }

    /** Fails the power; {@code surviving} decides which of the lines that were not flushed survive. */
    void failPower(SimFabric.Surviving surviving, Coverage coverage) {
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            if (region == null) continue;
            MemorySegment data = region.data();
            MemorySegment copy = copyOf(region);
            for (long at = data.mismatch(copy); at >= 0; at = nextMismatch(data, copy, at)) {
                long line = at / LINE;
                if (surviving.survives(i, line * LINE)) {
                    persist(region, line);
                    coverage.add(CoveragePoint.LINE_SURVIVED);
                } else {
                    MemorySegment.copy(copy, line * LINE, data, line * LINE, LINE);
                    coverage.add(CoveragePoint.LINE_LOST);
                }
            }
        }
    }

    /** Returns the persistent data by region; null for a region that does not exist. */
    final List<byte[]> saved() {
        List<byte[]> saved = new ArrayList<>();
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            saved.add(region == null ? null : copyOf(region).toArray(ValueLayout.JAVA_BYTE));
        }
        return saved;
    }

    /** Resets the persistent data, and memory with it, to saved data. Regions that were created later are empty. */
    void bringBack(List<byte[]> saved) {
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            if (region == null) continue;
            MemorySegment copy = copyOf(region).fill((byte) 0);
            if (i < saved.size() && saved.get(i) != null) copy.copyFrom(MemorySegment.ofArray(saved.get(i)));
            region.data().copyFrom(copy);
        }
    }

    /** Returns a word of a region as it was last flushed. */
    final long word(int region, long offset) {
        return Words.plain(copyOf(memory.region(region)), offset);
    }

    private static long nextMismatch(MemorySegment data, MemorySegment copy, long settled) {
        long from = (settled / LINE + 1) * LINE;
        if (from >= data.byteSize()) return -1;
        long found = MemorySegment.mismatch(data, from, data.byteSize(), copy, from, copy.byteSize());
        return found < 0 ? -1 : from + found;
    }

    final MemorySegment copyOf(NodeRegion region) {
        while (copies.size() <= region.number()) copies.add(null);
        MemorySegment copy = copies.get(region.number());
        if (copy == null) {
            copy = arena.allocate(region.dataBytes(), 64); // zeroed, as the region was
            copies.set(region.number(), copy);
        }
        return copy;
    }
}
