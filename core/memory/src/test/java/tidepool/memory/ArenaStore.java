package tidepool.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store in native memory that several nodes may share, as processes share mapped files. */
final class ArenaStore implements RegionStore {
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment meta = arena.allocate(NodeLayout.BYTES, 4096);
    final Map<Integer, MemorySegment> regions = new ConcurrentSkipListMap<>();

    /** Returns a store whose node has the given number. */
    static ArenaStore formatted(int number) {
        ArenaStore store = new ArenaStore();
        MemoryNode.format(store.meta, number);
        return store;
    }

    @Override
    public MemorySegment meta() {
        return meta;
    }

    @Override
    public MemorySegment create(int number, long bytes) {
        MemorySegment region = arena.allocate(bytes, 4096);
        regions.put(number, region);
        return region;
    }

    @Override
    public MemorySegment open(int number, long bytes) {
        MemorySegment region = regions.get(number);
        if (region == null) throw new IllegalStateException("no such region: number=" + number);
        return region;
    }

    @Override
    public void delete(int number) {
        regions.remove(number);
    }
}
