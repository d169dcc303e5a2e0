package tidepool.check.history;

/**
 * A closed walk.
 *
 * @param origin the node at which the first edge begins and the last one ends
 * @param edges in the order of the walk
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Cycle(int origin, int[] edges) {
    /** How many edges of a kind it has. */
    int count(Graph graph, int kind) {
        int count = 0;
        for (int edge : edges) {
            if (graph.kind(edge) == kind) count++;
        }
        return count;
    }

    /** How many edges between transactions it has: those that leave a gate belong to the one that entered it. */
    int length(Graph graph) {
        return edges.length - count(graph, Graph.THROUGH);
    }
}
