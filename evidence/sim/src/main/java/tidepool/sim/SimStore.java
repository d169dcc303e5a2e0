package tidepool.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;

/** The memory of a simulated node: native memory of this process. */
final class SimStore implements RegionStore {
    private final Arena arena;
    private final MemorySegment meta;
    private final List<MemorySegment> regions = new ArrayList<>();

    SimStore(Arena arena) {
        this.arena = arena;
        this.meta = arena.allocate(NodeLayout.BYTES, 4096);
    }

    @Override
    public MemorySegment meta() {
        return meta;
    }

    @Override
    public MemorySegment create(int number, long bytes) {
        while (regions.size() <= number) regions.add(null);
        MemorySegment region = arena.allocate(bytes, 4096);
        regions.set(number, region);
        return region;
    }

    @Override
    public MemorySegment open(int number, long bytes) {
        return regions.get(number);
    }

    @Override
    public void delete(int number) {
        regions.set(number, null); // the arena keeps it: a torn verb may still be writing into it
    }
}
