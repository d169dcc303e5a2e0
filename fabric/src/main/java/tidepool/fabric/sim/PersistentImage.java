package tidepool.fabric.sim;

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
 * What a node would still have after a power failure: a second copy of the data of each region, which FLUSH brings up to
 * date line by line. A line that differs from its copy was written and not flushed; the failure keeps it or not, as the
 * seed says. The node's own tables (sessions, regions, extents) are written by control calls, which persist at once.
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

    /** Memory of a region has changed. */
    void written(NodeRegion region, long offset, long length) {}

    /** Everything that a link has written becomes persistent. */
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

    /** A line reaches persistence: it was flushed, or the cache had no room for it. */
    void persist(NodeRegion region, long line) {
        MemorySegment.copy(region.data(), line * LINE, copyOf(region), line * LINE, LINE);
    }

    /** The power fails: of the lines that were not flushed, any subset survives. */
    void failPower(Randomness random, Reached reached) {
        // One failure likes to keep much, the next one little: subsets of all sizes.
        long[] keeps = new long[memory.regionCount()];
        for (int i = 0; i < keeps.length; i++) if (memory.region(i) != null) keeps[i] = random.nextLong(9);
        failPower((region, offset) -> random.chance(keeps[region], 8), reached);
    }

    /** The same, as somebody else decides. */
    void failPower(SimFabric.Surviving surviving, Reached reached) {
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            if (region == null) continue;
            MemorySegment data = region.data();
            MemorySegment copy = copyOf(region);
            for (long at = data.mismatch(copy); at >= 0; at = nextMismatch(data, copy, at)) {
                long line = at / LINE;
                if (surviving.survives(i, line * LINE)) {
                    persist(region, line);
                    reached.add(Reach.LINE_SURVIVED);
                } else {
                    MemorySegment.copy(copy, line * LINE, data, line * LINE, LINE);
                    reached.add(Reach.LINE_LOST);
                }
            }
        }
    }

    /** What lies on the disk now, by region; null for one that is not there. */
    final List<byte[]> saved() {
        List<byte[]> saved = new ArrayList<>();
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            saved.add(region == null ? null : copyOf(region).toArray(ValueLayout.JAVA_BYTE));
        }
        return saved;
    }

    /** The disk, and memory with it, is what it was when it was saved. Regions of later are empty. */
    void bringBack(List<byte[]> saved) {
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            if (region == null) continue;
            MemorySegment copy = copyOf(region).fill((byte) 0);
            if (i < saved.size() && saved.get(i) != null) copy.copyFrom(MemorySegment.ofArray(saved.get(i)));
            region.data().copyFrom(copy);
        }
    }

    /** A word of a region as it was last flushed. */
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
