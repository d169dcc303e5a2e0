package tidepool.evidence.faults;

import java.lang.foreign.MemorySegment;
import tidepool.clusters.PoolView;
import tidepool.evidence.faults.PowerStage.Cut;
import tidepool.sim.SimFabric;
import tidepool.store.CatalogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;

/** Scripted losses of power: which lines survive although they were not flushed. */
final class Cuts {
    private static final long LINE = 64;

    private Cuts() {}

    /** Every line that was not flushed is lost. */
    static final Cut NOTHING_SURVIVES = (fabric, node) -> fabric.failPower(node, (region, line) -> false);

    /** Interleaving 12, the first half: all data that was written survives, and no log that was written before it. */
    static final Cut LOGS_ARE_LOST = (fabric, node) -> {
        long log = new PoolView(fabric).catalogWord(node, CatalogLayout.LOG_REGION);
        fabric.failPower(node, (region, line) -> region != log);
    };

    /** Interleaving 12, the second half: primaries, which are not flushed, fall back to an old state. */
    static final Cut PRIMARIES_ARE_LOST = (fabric, node) -> {
        PoolView view = new PoolView(fabric);
        fabric.failPower(node, (region, line) -> !isPrimary(view, node, region));
    };

    private static boolean isPrimary(PoolView view, int node, int region) {
        Placement placement = view.placement();
        for (int p = 0; p < placement.partitions(); p++)
            if (placement.primary(p) == node && regionOf(view, node, p) == region) return true;
        return false;
    }

    /** Of a record the line with its version survives, and no other line of anything. */
    static void onlyMark(SimFabric fabric, int node, TableLayout table, long key) {
        PoolView view = new PoolView(fabric);
        long pointer = find(view, table, key);
        int partition = Pointer.partition(pointer);
        long mark = (Pointer.offset(pointer) + ObjectLayout.VERSION) / LINE * LINE;
        boolean holds = view.placement().holds(node, partition);
        long kept = holds ? regionOf(view, node, partition) : -1;
        fabric.failPower(node, (region, line) -> region == kept && line == mark);
    }

    private static long regionOf(PoolView view, int node, int partition) {
        return view.catalogWord(node, CatalogLayout.partitionRegion(partition)) & CatalogLayout.UNFLUSHED - 1;
    }

    /** Returns the pointer to a record, in the first bucket of its chain. */
    private static long find(PoolView view, TableLayout table, long key) {
        long bucket = table.home(key);
        MemorySegment memory = view.replica(bucket, view.placement().replicas() - 1);
        for (int slot = 0; slot < table.slots(); slot++) {
            long at = Pointer.offset(bucket) + table.slotOffset(slot);
            if (ObjectLayout.holds(memory, at + ObjectLayout.BODY, key))
                return Pointer.of(Pointer.partition(bucket), at);
        }
        throw new IllegalStateException("no record has key " + key);
    }
}
