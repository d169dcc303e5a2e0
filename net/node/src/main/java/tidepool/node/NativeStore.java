package tidepool.node;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.MemoryNodeException.Reason;
import tidepool.memory.NodeLayout;

/** Regions in the memory of this process. Each has an arena of its own, so that it can be freed alone. */
final class NativeStore implements JournaledStore {
    private static final long PAGE = 4096;

    private record Piece(Arena arena, MemorySegment memory) {}

    private final MemoryBudget budget;
    private final Consumer<Runnable> whenQuiescent;
    private final Piece meta;
    private final ConcurrentHashMap<Integer, Piece> regions = new ConcurrentHashMap<>();

    /** @param whenQuiescent runs a task as soon as no verb can touch the memory */
    NativeStore(MemoryBudget budget, Consumer<Runnable> whenQuiescent) {
        this.budget = budget;
        this.whenQuiescent = whenQuiescent;
        this.meta = take(NodeLayout.BYTES);
    }

    @Override
    public MemorySegment meta() {
        return meta.memory;
    }

    @Override
    public MemorySegment create(int number, long bytes) {
        delete(number);
        Piece region = take(bytes);
        regions.put(number, region);
        return region.memory;
    }

    @Override
    public MemorySegment open(int number, long bytes) {
        MemorySegment memory = known(number);
        if (memory == null || memory.byteSize() != bytes)
            throw new MemoryNodeException(
                    Reason.CORRUPT, "region " + number + " is missing, or of another size: bytes=" + bytes);
        return memory;
    }

    @Override
    public MemorySegment known(int number) {
        Piece region = regions.get(number);
        return region == null ? null : region.memory;
    }

    @Override
    public void delete(int number) {
        Piece region = regions.remove(number);
        if (region == null) return;
        budget.give(region.memory.byteSize());
        whenQuiescent.accept(region.arena::close);
    }

    @Override
    public void close() {
        for (Piece region : regions.values()) give(region);
        regions.clear();
        give(meta);
    }

    private Piece take(long bytes) {
        budget.take(bytes);
        Arena arena = Arena.ofShared();
        try {
            return new Piece(arena, arena.allocate(bytes, PAGE));
        } catch (OutOfMemoryError e) {
            arena.close();
            budget.give(bytes);
            throw new MemoryNodeException(Reason.FULL, "the machine has no memory left: needed=" + bytes);
        }
    }

    private void give(Piece piece) {
        budget.give(piece.memory.byteSize());
        piece.arena.close();
    }
}
