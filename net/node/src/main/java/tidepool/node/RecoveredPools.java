package tidepool.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.node.journal.EntryVisitor;
import tidepool.node.journal.JournalEntry;
import tidepool.node.journal.JournalException;
import tidepool.node.journal.RegionHeads;

/** The pools of a journal, recovered into the memory from which the node serves them. */
final class RecoveredPools implements EntryVisitor {
    private final UnflushedLines lines;
    private final RegionHeads heads = new RegionHeads();
    private final MemoryBudget budget;
    private final Consumer<Runnable> whenQuiescent;
    private final Map<Integer, NodeJournal.Known> pools = new TreeMap<>();

    /** @param lines null if the journal has the data of regions */
    RecoveredPools(UnflushedLines lines, MemoryBudget budget, Consumer<Runnable> whenQuiescent) {
        this.lines = lines;
        this.budget = budget;
        this.whenQuiescent = whenQuiescent;
    }

    Map<Integer, NodeJournal.Known> pools() {
        return pools;
    }

    @Override
    public boolean pool(int pool, String name, Id128 id, int number, int nodes) {
        HostedPool.Place place = new HostedPool.Place(id, number, nodes);
        NodeJournal.Known known = pools.get(pool);
        if (known != null) {
            if (!known.name().equals(name) || !known.place().id().equals(id)) return false;
            pools.put(pool, new NodeJournal.Known(pool, name, place, known.store()));
            return true;
        }
        if (pool != pools.size() || !HostedPools.isName(name)) return false;
        pools.put(pool, new NodeJournal.Known(pool, name, place, store(pool)));
        return true;
    }

    private JournaledStore store(int pool) {
        return lines == null
                ? new NativeStore(budget, whenQuiescent)
                : new PersistentMemoryStore(pool, lines, budget, whenQuiescent);
    }

    @Override
    public boolean create(int pool, int region, long bytes) {
        NodeJournal.Known known = pools.get(pool);
        if (known == null || region >= NodeLayout.REGIONS || bytes <= 0 || !Words.isAligned(bytes)) return false;
        if (known.store() instanceof PersistentMemoryStore store) take(store, pool, region, bytes);
        else known.store().create(region, bytes);
        return true;
    }

    /** Maps the file of a region. If it is missing, only the rest of the journal shows whether the region is live. */
    private void take(PersistentMemoryStore store, int pool, int region, long bytes) {
        try {
            if (lines.files().has(pool, region)) {
                store.recover(region, bytes);
                heads.created(pool, region);
            } else {
                heads.missed(pool, region);
            }
        } catch (IOException e) {
            throw new JournalException(
                    JournalException.Reason.FAILED,
                    "the file of a region cannot be mapped (" + e.getMessage() + "): "
                            + lines.files().path(pool, region),
                    e);
        }
    }

    @Override
    public boolean delete(int pool, int region) {
        NodeJournal.Known known = pools.get(pool);
        if (known != null) known.store().delete(region);
        return known != null;
    }

    @Override
    public boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
        if (region != JournalEntry.META && heads.isAbsent(pool, region)) return true;
        MemorySegment to = memory(pool, region, offset, length);
        if (to != null && lines != null && region != JournalEntry.META)
            return heads.bytes(pool, region, to, offset, from, at, length);
        if (to != null) MemorySegment.copy(from, at, to, offset, length);
        return to != null;
    }

    @Override
    public boolean zero(int pool, int region, long offset, long length) {
        if (lines != null && region != JournalEntry.META) return false;
        MemorySegment to = memory(pool, region, offset, length);
        if (to != null) to.asSlice(offset, length).fill((byte) 0);
        return to != null;
    }

    private MemorySegment memory(int pool, int region, long offset, long length) {
        NodeJournal.Known known = pools.get(pool);
        if (known == null) return null;
        MemorySegment memory = region == JournalEntry.META
                ? known.store().meta()
                : known.store().known(region);
        boolean fits = memory != null
                && offset >= 0
                && length >= 0
                && length <= memory.byteSize()
                && offset <= memory.byteSize() - length;
        return fits ? memory : null;
    }

    /** Releases all pools; none is served. */
    void close() {
        for (NodeJournal.Known known : pools.values()) known.store().close();
        pools.clear();
    }
}
