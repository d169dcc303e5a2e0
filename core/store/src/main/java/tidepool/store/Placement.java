package tidepool.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Checks;

/**
 * The memory nodes that hold each partition: the primary, then its backups, then the copies that are still being
 * filled, which are written like all others and not trusted. In a pool whose nodes never change, partition p has its
 * primary on node p mod n and its backups on the following nodes. So every node is primary for some partitions and
 * backup for others.
 */
public final class Placement {
    public static final int MAX_REPLICAS = 4;

    private final int nodes;
    private final int replicas;
    private final boolean single;
    private final int[] primaries;
    private final int[] copies;
    private final int[] whole;
    private final int[] holders; // MAX_REPLICAS for each partition
    private final long[] held; // a bit for each node

    /**
     * Makes the placement of a pool in which all partitions have an equal number of copies.
     *
     * @param nodes memory nodes of the pool
     * @param partitions partitions of the pool
     * @param replicas copies of each partition, the primary included: f + 1
     */
    public Placement(int nodes, int partitions, int replicas) {
        this(nodes, spread(nodes, partitions, replicas), replicas == 1);
    }

    /**
     * Makes the placement that a roster describes.
     *
     * @param replicas copies that each partition is to have; it has more or fewer while members join and leave
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
        holders = new int[count * MAX_REPLICAS];
        held = new long[count];
        int max = 0;
        for (int p = 0; p < count; p++) {
            List<Integer> all = partitions.get(p).all();
            primaries[p] = all.getFirst();
            copies[p] = all.size();
            whole[p] = partitions.get(p).whole().size();
            for (int i = 0; i < all.size(); i++) {
                holders[p * MAX_REPLICAS + i] = all.get(i);
                held[p] |= 1L << all.get(i);
            }
            max = Math.max(max, copies[p]);
        }
        replicas = max;
    }

    /** Returns the copies of each partition in a new pool. */
    public static List<Roster.Copies> spread(int nodes, int partitions, int replicas) {
        Checks.argument(
                replicas >= 1 && replicas <= MAX_REPLICAS,
                "a pool has 1 to " + MAX_REPLICAS + " replicas: replicas=" + replicas);
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

    /** Returns the largest number of copies that a partition has. */
    public int replicas() {
        return replicas;
    }

    /**
     * Returns whether every partition is to have one copy. A second copy is being added or removed then, and is never
     * the only one.
     */
    public boolean isSingle() {
        return single;
    }

    /** Returns how many copies this partition has, including those that are being filled. */
    public int copies(int partition) {
        return copies[partition];
    }

    /** Returns how many whole copies this partition has; they are the first. */
    public int whole(int partition) {
        return whole[partition];
    }

    public int primary(int partition) {
        return primaries[partition];
    }

    /** Returns the node of the i-th copy; 0 is the primary. */
    public int replica(int partition, int i) {
        return holders[partition * MAX_REPLICAS + i];
    }

    public boolean holds(int node, int partition) {
        return (held[partition] >>> node & 1) != 0;
    }

    /** Returns which copy of a partition a node holds; it must hold one. */
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
