package tidepool.protocol.record;

import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.store.Catalog;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/** Every region of a pool that a coordinator or a recoverer needs, opened over one link to each memory node. */
public final class PoolRegions {
    private final Placement placement;
    private final Region[] logs;
    private final Region[][] partitions;
    private final Region[] primaries;

    public PoolRegions(Lane lane, Catalog catalog) {
        Fabric fabric = lane.session().fabric();
        int nodes = fabric.nodes();
        placement = catalog.placement();
        logs = new Region[nodes];
        partitions = new Region[nodes][placement.partitions()];
        for (int node = 0; node < nodes; node++) {
            Link link = lane.connect(node);
            Id128[] regions = fabric.control(node).regions();
            logs[node] = link.open(regions[catalog.logRegion(node)]);
            for (int p = 0; p < placement.partitions(); p++)
                if (placement.holds(node, p))
                    partitions[node][p] = link.open(regions[catalog.partitionRegion(node, p)]);
        }
        primaries = new Region[placement.partitions()];
        for (int p = 0; p < primaries.length; p++) primaries[p] = partitions[placement.primary(p)][p];
    }

    public Placement placement() {
        return placement;
    }

    public int nodes() {
        return logs.length;
    }

    public Region log(int node) {
        return logs[node];
    }

    /** Where a node keeps the partition of a pointer; null if it does not. */
    public Region at(int node, long pointer) {
        return partitions[node][Pointer.partition(pointer)];
    }

    public Region primary(long pointer) {
        return primaries[Pointer.partition(pointer)];
    }

    /** The i-th replica of the partition of a pointer; 0 is the primary. */
    public Region replica(long pointer, int i) {
        int partition = Pointer.partition(pointer);
        return partitions[placement.replica(partition, i)][partition];
    }

    /** Hints that a record will be read, or locked and written on all replicas; see {@link Region#expect}. */
    public long expect(long pointer, boolean written) {
        long offset = Pointer.offset(pointer);
        int partition = Pointer.partition(pointer);
        long sum = primaries[partition].expect(offset);
        if (!written) return sum;
        for (int i = 1; i < placement.replicas(); i++)
            sum += partitions[placement.replica(partition, i)][partition].expect(offset);
        return sum;
    }

    /** Whether a pointer that was read from memory leads to a word of this pool. */
    public boolean isPlace(long pointer) {
        return Pointer.partition(pointer) < placement.partitions()
                && pointer >>> 48 == 0
                && Pointer.offset(pointer) > 0
                && Pointer.offset(pointer) < primary(pointer).bytes();
    }
}
