package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.sim.SimFabric;
import tidepool.store.CatalogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.Roster;

/** The memory of a simulated pool at this moment, read without a verb. */
public final class PoolView {
    private final SimFabric fabric;
    private final Roster roster;

    public PoolView(SimFabric fabric) {
        this(fabric, null);
    }

    /** @param roster members that the nodes are; null if they never change */
    public PoolView(SimFabric fabric, Roster roster) {
        this.fabric = fabric;
        this.roster = roster;
    }

    public MemorySegment catalog() {
        return region(0, 0);
    }

    public long catalogWord(long offset) {
        return Words.plain(catalog(), offset);
    }

    /** Returns a word of the catalog that is each node's own. */
    public long catalogWord(int node, long offset) {
        return Words.plain(region(node, 0), offset);
    }

    public Placement placement() {
        if (roster != null) return new Placement(roster, (int) catalogWord(CatalogLayout.REPLICAS));
        return new Placement(
                fabric.nodes(), (int) catalogWord(CatalogLayout.PARTITIONS), (int) catalogWord(CatalogLayout.REPLICAS));
    }

    public MemorySegment log(int node) {
        return region(node, (int) catalogWord(node, CatalogLayout.LOG_REGION));
    }

    /** Whether a node declares its copy of a partition flushed; also true before the node has anything. */
    public boolean isFlushed(int node, int partition) {
        return fabric.memory(node).capabilities().length == 0
                || (catalogWord(node, CatalogLayout.partitionRegion(partition)) & CatalogLayout.UNFLUSHED) == 0;
    }

    /**
     * Whether a node will declare it flushed after a loss of power, whatever survives of the words that were not
     * flushed.
     */
    public boolean isFlushedForGood(int node, int partition) {
        if (!isFlushed(node, partition)) return false;
        return fabric.memory(node).capabilities().length == 0
                || (fabric.persistentWord(node, 0, CatalogLayout.partitionRegion(partition)) & CatalogLayout.UNFLUSHED)
                        == 0;
    }

    /** Whether no loss of power of the node is left to be repaired. */
    public boolean isRepaired(int node) {
        return fabric.memory(node).capabilities().length == 0
                || catalogWord(node, CatalogLayout.POWER_LOSSES)
                        == fabric.control(node).powerLosses();
    }

    /** Returns a replica of the partition of a pointer; 0 is the primary. */
    public MemorySegment replica(long pointer, int replica) {
        Placement placement = placement();
        int partition = Pointer.partition(pointer);
        int node = placement.replica(partition, replica);
        return region(node, (int) catalogWord(node, CatalogLayout.partitionRegion(partition)));
    }

    /** Returns the version word of an object on its primary. */
    public long version(long pointer) {
        return Words.plain(replica(pointer, 0), Pointer.offset(pointer) + ObjectLayout.VERSION);
    }

    private MemorySegment region(int node, int number) {
        return fabric.memory(node).region(number).data();
    }
}
