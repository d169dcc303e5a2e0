package tidepool.node;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;

/** The regions of another store, counted against the node's memory budget. */
final class BudgetedStore implements RegionStore {
    private final RegionStore store;
    private final MemoryBudget budget;
    private final Map<Integer, Long> taken = new HashMap<>(); // guarded by this

    /** Counts the existing regions. */
    BudgetedStore(RegionStore store, MemoryBudget budget) {
        this.store = store;
        this.budget = budget;
        MemorySegment meta = store.meta();
        take(-1, meta.byteSize());
        long count = Math.min(Words.acquire(meta, NodeLayout.REGION_COUNT), NodeLayout.REGIONS);
        for (int i = 0; i < count; i++) {
            long entry = NodeLayout.region(i);
            if (NodeLayout.isLive(Words.acquire(meta, entry + NodeLayout.REGION_STATE)))
                take(i, Words.plain(meta, entry + NodeLayout.REGION_BYTES));
        }
    }

    @Override
    public MemorySegment meta() {
        return store.meta();
    }

    @Override
    public MemorySegment create(int number, long bytes) {
        give(number); // left by a creation that failed
        take(number, bytes);
        boolean created = false;
        try {
            MemorySegment region = store.create(number, bytes);
            created = true;
            return region;
        } finally {
            if (!created) give(number);
        }
    }

    @Override
    public MemorySegment open(int number, long bytes) {
        return store.open(number, bytes);
    }

    @Override
    public boolean isReusable(int number) {
        return store.isReusable(number);
    }

    @Override
    public void delete(int number) {
        store.delete(number);
        give(number);
    }

    synchronized void giveAll() {
        for (long bytes : taken.values()) budget.give(bytes);
        taken.clear();
    }

    private synchronized void take(int number, long bytes) {
        budget.take(bytes);
        taken.put(number, bytes);
    }

    private synchronized void give(int number) {
        Long bytes = taken.remove(number);
        if (bytes != null) budget.give(bytes);
    }
}
