package tidepool.bench.race;

/**
 * How many memory nodes our pools have, and how many copies of everything.
 *
 * @param nodes 0 for as many as the fabric's pools usually have
 * @param replicas 0 for two, or one where there is one node
 */
public record PoolShape(int nodes, int replicas) {
    public static final PoolShape USUAL = new PoolShape(0, 0);
    public static final int MOST_NODES = 16;

    /** The smallest pool in which every record has a primary and a backup. */
    private static final int USUAL_NODES = 2;

    /** As many processes as a pool on the network has at least where one of them may be lost. */
    private static final int USUAL_NODES_ON_THE_NETWORK = 3;

    private static final int USUAL_REPLICAS = 2;

    /** With both numbers said. */
    PoolShape on(String fabric) {
        int usual = fabric.equals("tcp") ? USUAL_NODES_ON_THE_NETWORK : USUAL_NODES;
        int all = nodes == 0 ? Math.max(usual, replicas) : nodes;
        return new PoolShape(all, replicas == 0 ? Math.min(USUAL_REPLICAS, all) : replicas);
    }

    String text() {
        return nodes + (nodes == 1 ? " memory node" : " memory nodes");
    }

    String copies() {
        return replicas + (replicas == 1 ? " replica" : " replicas");
    }
}
