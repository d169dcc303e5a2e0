package tidepool.bench.race;

/**
 * The numbers of memory nodes and copies of our pools, and their memory.
 *
 * @param nodes 0 for the usual number of the fabric
 * @param replicas 0 for two, or one where there is one node
 * @param bytes of all copies and logs together; 0 for as many as the rows need with which the workload makes its tables
 */
public record PoolShape(int nodes, int replicas, long bytes) {
    public static final PoolShape USUAL = new PoolShape(0, 0, 0);
    public static final int MAX_NODES = 16;

    /** The smallest pool in which every record has a primary and a backup. */
    private static final int USUAL_NODES = 2;

    /** The smallest number of processes of a pool on the network where one of them may be lost. */
    private static final int USUAL_NODES_ON_THE_NETWORK = 3;

    private static final int USUAL_REPLICAS = 2;

    /** Returns the shape with the numbers of nodes and copies set. */
    PoolShape on(String fabric) {
        int usual = fabric.equals("tcp") ? USUAL_NODES_ON_THE_NETWORK : USUAL_NODES;
        int all = nodes == 0 ? Math.max(usual, replicas) : nodes;
        return new PoolShape(all, replicas == 0 ? Math.min(USUAL_REPLICAS, all) : replicas, bytes);
    }

    String text() {
        return nodes + (nodes == 1 ? " memory node" : " memory nodes");
    }

    String copies() {
        return replicas + (replicas == 1 ? " replica" : " replicas");
    }
}
