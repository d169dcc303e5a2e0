package tidepool.history;

/**
 * A closed walk.
 *
 * @param origin the node at which the first edge begins and the last one ends
 * @param edges in the order of the walk
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Cycle(int origin, int[] edges) {
    /** Returns the number of edges of these kinds. */
    int count(Graph graph, int kind) {
        int count = 0;
        for (int edge : edges) {
            if ((graph.kind(edge) & kind) != 0) count++;
        }
        return count;
    }

    /**
     * Returns the number of edges between transactions: an edge that leaves a gate belongs to the edge that entered it.
     */
    int length(Graph graph) {
        return edges.length - count(graph, Graph.THROUGH);
    }
}
