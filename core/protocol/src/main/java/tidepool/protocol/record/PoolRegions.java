package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/** The regions of a pool that a coordinator or a recoverer needs, opened over one link to each memory node. */
public final class PoolRegions {
    private final Placement placement;
    private final Region[] catalogs;
    private final Region[] logs;
    private final Region[][] partitions;
    private final Region[] primaries;
    private final boolean durable;
    private final boolean inOrder;

    /**
     * Opens all regions. Fails if the nodes of the pool are no longer those of the catalog's roster. Waits for the
     * memory nodes.
     */
    public PoolRegions(Lane lane, Catalog catalog) {
        if (catalog.isChanging()) throw FabricException.unavailable("the tables of this pool are being changed");
        Fabric fabric = lane.session().fabric();
        int nodes = fabric.nodes();
        durable = catalog.flush().isDurable();
        inOrder = durable && fabric.persistsInOrder();
        placement = catalog.placement();
        logs = new Region[nodes];
        partitions = new Region[nodes][placement.partitions()];
        catalogs = new Region[nodes];
        for (int node = 0; node < nodes; node++) {
            Link link = lane.connect(node);
            Id128[] regions = fabric.control(node).regions();
            catalogs[node] = link.open(capability(regions, 0, node));
            logs[node] = link.open(capability(regions, catalog.logRegion(node), node));
            for (int p = 0; p < placement.partitions(); p++)
                if (placement.holds(node, p))
                    partitions[node][p] = link.open(capability(regions, catalog.partitionRegion(node, p), node));
        }
        primaries = new Region[placement.partitions()];
        for (int p = 0; p < primaries.length; p++) primaries[p] = partitions[placement.primary(p)][p];
        requireEpoch(lane, catalogs, catalog.epoch());
        catalog.disclaimPrimaries();
    }

    private static Id128 capability(Id128[] regions, int number, int node) {
        if (number < regions.length && regions[number] != null) return regions[number];
        throw FabricException.unavailable("memory node " + node + " has lost what it held of this pool");
    }

    /**
     * Reads the epoch over the links that will be used, after all of them are made. A change of the roster first
     * announces itself on every node, and then revokes the sessions that are in the pool.
     */
    private static void requireEpoch(Lane lane, Region[] catalogs, long epoch) {
        MemorySegment words = lane.landing(catalogs.length * (long) Words.BYTES);
        Round round = lane.round(catalogs.length);
        for (int i = 0; i < catalogs.length; i++)
            round.read(catalogs[i], CatalogLayout.EPOCH, Words.BYTES, words, i * (long) Words.BYTES);
        round.post().await();
        for (int i = 0; i < catalogs.length; i++)
            if (Words.plain(words, i * (long) Words.BYTES) != epoch)
                throw FabricException.refused(Refusal.EPOCH, "the memory nodes of this pool have changed");
    }

    public Placement placement() {
        return placement;
    }

    /** Whether the pool is durable on nodes that persist writes in order; see {@link Fabric#persistsInOrder}. */
    public boolean persistsInOrder() {
        return inOrder;
    }

    /** Makes the writes over these links persistent, if the pool is durable. */
    public void persist(Round round) {
        if (!durable) return;
        for (Region log : logs) round.flush(log.link());
        round.post().await();
    }

    public int nodes() {
        return logs.length;
    }

    /** Returns the catalog region of a node. */
    public Region catalog(int node) {
        return catalogs[node];
    }

    public Region log(int node) {
        return logs[node];
    }

    /** Returns a node's copy of the partition of a pointer; null if the node has none. */
    public Region at(int node, long pointer) {
        return partitions[node][Pointer.partition(pointer)];
    }

    public Region primary(long pointer) {
        return primaries[Pointer.partition(pointer)];
    }

    /** Returns how many copies the object at a pointer has. */
    public int copies(long pointer) {
        return placement.copies(Pointer.partition(pointer));
    }

    /** Returns the i-th replica of the partition of a pointer; 0 is the primary. */
    public Region replica(long pointer, int i) {
        int partition = Pointer.partition(pointer);
        return partitions[placement.replica(partition, i)][partition];
    }

    /** Issues a hint that a record will be read, or locked and written on all replicas; see {@link Region#expect}. */
    public long expect(long pointer, long length, boolean written) {
        long offset = Pointer.offset(pointer);
        int partition = Pointer.partition(pointer);
        long sum = primaries[partition].expect(offset, length, written);
        if (!written) return sum;
        for (int i = 1; i < placement.copies(partition); i++)
            sum += partitions[placement.replica(partition, i)][partition].expect(offset, length, written);
        return sum;
    }

    /** Whether a pointer that was read from memory points to a word of this pool. */
    public boolean isPlace(long pointer) {
        return Pointer.partition(pointer) < placement.partitions()
                && pointer >>> 48 == 0
                && Pointer.offset(pointer) > 0
                && Pointer.offset(pointer) < primary(pointer).bytes();
    }
}
