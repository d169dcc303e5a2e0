package tidepool.node;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * Regions in mapped files of persistent memory. The node's own memory is memory of this process. The journal has it,
 * and the header and the extent map of each region. This class does not remove files: a file is removed after the
 * journal has recorded the deletion of its region.
 */
final class PersistentMemoryStore implements JournaledStore {
    private record Piece(Arena arena, MemorySegment memory) {}

    private final int pool;
    private final UnflushedLines lines;
    private final MemoryBudget budget;
    private final Consumer<Runnable> whenQuiescent;
    private final NativeStore own;
    private final ConcurrentHashMap<Integer, Piece> regions = new ConcurrentHashMap<>();

    /** @param pool its number in the journal */
    PersistentMemoryStore(int pool, UnflushedLines lines, MemoryBudget budget, Consumer<Runnable> whenQuiescent) {
        this.pool = pool;
        this.lines = lines;
        this.budget = budget;
        this.whenQuiescent = whenQuiescent;
        this.own = new NativeStore(budget, whenQuiescent);
    }

    @Override
    public MemorySegment meta() {
        return own.meta();
    }

    @Override
    public MemorySegment create(int number, long bytes) {
        delete(number);
        try {
            return take(number, bytes, arena -> lines.files().create(pool, number, bytes, arena));
        } catch (IOException e) {
            throw new MemoryNodeException(
                    Reason.FULL,
                    "the file of a region cannot be made (" + e.getMessage() + "): needed=" + bytes + ": "
                            + lines.files().path(pool, number));
        }
    }

    /** Maps the existing file of a region. */
    void recover(int number, long bytes) throws IOException {
        delete(number);
        take(number, bytes, arena -> lines.files().open(pool, number, bytes, arena));
    }

    /** The operation that maps a file. */
    private interface Mapped {
        MemorySegment in(Arena arena) throws IOException;
    }

    private MemorySegment take(int number, long bytes, Mapped mapped) throws IOException {
        budget.take(bytes);
        Arena arena = Arena.ofShared();
        boolean done = false;
        try {
            Piece region = new Piece(arena, mapped.in(arena));
            regions.put(number, region);
            done = true;
            return region.memory;
        } finally {
            if (!done) {
                arena.close();
                budget.give(bytes);
            }
        }
    }

    @Override
    public MemorySegment open(int number, long bytes) {
        MemorySegment memory = known(number);
        if (memory == null || memory.byteSize() != bytes)
            throw new MemoryNodeException(
                    Reason.CORRUPT,
                    "the file of region " + number + " is missing, or of another size than " + bytes + ": "
                            + lines.files().path(pool, number));
        return memory;
    }

    @Override
    public MemorySegment known(int number) {
        Piece region = regions.get(number);
        return region == null ? null : region.memory;
    }

    /** Returns false. Otherwise an older checkpoint that names an earlier region would find the file of a later one. */
    @Override
    public boolean isReusable(int number) {
        return false;
    }

    @Override
    public void delete(int number) {
        Piece region = regions.remove(number);
        if (region == null) return;
        budget.give(region.memory.byteSize());
        whenQuiescent.accept(() -> close(region));
    }

    private void close(Piece region) {
        lines.forget(region.memory);
        region.arena.close();
    }

    @Override
    public void close() {
        for (Piece region : regions.values()) {
            budget.give(region.memory.byteSize());
            close(region);
        }
        regions.clear();
        own.close();
    }
}
