package tidepool.store;

import tidepool.base.Checks;

/**
 * Which memory nodes hold a partition. Partition p has its primary on node p mod n and its backups on the nodes behind
 * it, so every node is primary for some partitions and backup for others.
 *
 * @param nodes memory nodes of the pool
 * @param partitions partitions of the pool
 * @param replicas copies of each partition, the primary included: f + 1
 */
public record Placement(int nodes, int partitions, int replicas) {
    public Placement {
        Checks.argument(replicas >= 1 && replicas <= 4, "a pool has 1 to 4 replicas: replicas=" + replicas);
        Checks.argument(
                replicas <= nodes,
                "as many replicas as memory nodes at most: replicas=" + replicas + " nodes=" + nodes);
        Checks.argument(
                partitions >= 1 && partitions <= 1 << Pointer.PARTITION_BITS, "1 to 4096 partitions: " + partitions);
    }

    public int primary(int partition) {
        return partition < nodes ? partition : partition % nodes; // a division costs more than it looks
    }

    /** The i-th replica; 0 is the primary. */
    public int replica(int partition, int i) {
        int node = primary(partition) + i;
        return node < nodes ? node : node - nodes;
    }

    public boolean holds(int node, int partition) {
        int behind = node - primary(partition);
        return (behind < 0 ? behind + nodes : behind) < replicas;
    }
}
