package tidepool.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Checks;

/**
 * Which memory nodes hold a partition: the primary, then its backups, then those that are still being filled, which are
 * written like all others and not believed. In a pool whose nodes never change, partition p has its primary on node p mod n
 * and its backups on the nodes behind it, so every node is primary for some partitions and backup for others.
 */
public final class Placement {
    public static final int MOST_REPLICAS = 4;

    private final int nodes;
    private final int replicas;
    private final boolean single;
    private final int[] primaries;
    private final int[] copies;
    private final int[] whole;
    private final int[] holders; // MOST_REPLICAS for each partition
    private final long[] held; // a bit for each node

    /**
     * The same number of copies of everything.
     *
     * @param nodes memory nodes of the pool
     * @param partitions partitions of the pool
     * @param replicas copies of each partition, the primary included: f + 1
     */
    public Placement(int nodes, int partitions, int replicas) {
        this(nodes, spread(nodes, partitions, replicas), replicas == 1);
    }

    /**
     * What the members of a roster hold.
     *
     * @param replicas copies that each partition is to have; more or fewer for a while when members come and go
     */
    public Placement(Roster roster, int replicas) {
        this(roster.members().size(), roster.partitions(), replicas == 1);
    }

    private Placement(int nodes, List<Roster.Copies> partitions, boolean single) {
        this.nodes = nodes;
        this.single = single;
        int count = partitions.size();
        primaries = new int[count];
        copies = new int[count];
        whole = new int[count];
        holders = new int[count * MOST_REPLICAS];
        held = new long[count];
        int most = 0;
        for (int p = 0; p < count; p++) {
            List<Integer> all = partitions.get(p).all();
            primaries[p] = all.getFirst();
            copies[p] = all.size();
            whole[p] = partitions.get(p).whole().size();
            for (int i = 0; i < all.size(); i++) {
                holders[p * MOST_REPLICAS + i] = all.get(i);
                held[p] |= 1L << all.get(i);
            }
            most = Math.max(most, copies[p]);
        }
        replicas = most;
    }

    /** Who holds what in a pool that begins with so many nodes. */
    public static List<Roster.Copies> spread(int nodes, int partitions, int replicas) {
        Checks.argument(
                replicas >= 1 && replicas <= MOST_REPLICAS,
                "a pool has 1 to " + MOST_REPLICAS + " replicas: replicas=" + replicas);
        Checks.argument(
                replicas <= nodes,
                "as many replicas as memory nodes at most: replicas=" + replicas + " nodes=" + nodes);
        Checks.argument(
                partitions >= 1 && partitions <= 1 << Pointer.PARTITION_BITS, "1 to 4096 partitions: " + partitions);
        List<Roster.Copies> spread = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            List<Integer> holders = new ArrayList<>();
            for (int i = 0; i < replicas; i++) holders.add((p + i) % nodes);
            spread.add(new Roster.Copies(holders, List.of()));
        }
        return spread;
    }

    public int nodes() {
        return nodes;
    }

    public int partitions() {
        return primaries.length;
    }

    /** The most copies that a partition has. */
    public int replicas() {
        return replicas;
    }

    /** Whether everything is to have one copy: a second one is on its way in or out, and nothing is left to it alone. */
    public boolean isSingle() {
        return single;
    }

    /** How many copies this partition has, those included that are being filled. */
    public int copies(int partition) {
        return copies[partition];
    }

    /** How many copies this partition has that have all of it; they are the first. */
    public int whole(int partition) {
        return whole[partition];
    }

    public int primary(int partition) {
        return primaries[partition];
    }

    /** The node of the i-th copy; 0 is the primary. */
    public int replica(int partition, int i) {
        return holders[partition * MOST_REPLICAS + i];
    }

    public boolean holds(int node, int partition) {
        return (held[partition] >>> node & 1) != 0;
    }

    /** Which copy of a partition a node holds; it must hold one. */
    public int copyOf(int node, int partition) {
        int i = 0;
        while (replica(partition, i) != node) i++;
        return i;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Placement like
                && nodes == like.nodes
                && single == like.single
                && Arrays.equals(holders, like.holders)
                && Arrays.equals(copies, like.copies)
                && Arrays.equals(whole, like.whole);
    }

    @Override
    public int hashCode() {
        return 31 * nodes + Arrays.hashCode(holders);
    }
}
