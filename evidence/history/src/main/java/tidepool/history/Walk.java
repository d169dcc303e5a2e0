package tidepool.history;

/**
 * A rule for walking over a graph: which kinds of edge may be used, and which may follow each other.
 *
 * <p>A state is a node and one bit of memory. What the bit means depends on the rule:
 *
 * <pre>
 *   FREE       not used
 *   SEPARATE   the last edge was an anti-dependency, so the next one must not be: no two neighbours
 *   PAIRED     the second edge has been taken, and it was an anti-dependency: the first two are neighbours
 * </pre>
 *
 * Leaving a gate is no step of its own and does not change the bit.
 */
final class Walk {
    enum Rule {
        FREE,
        SEPARATE,
        PAIRED
    }

    private final Graph graph;
    private final int mask;
    private final Rule rule;
    private final boolean[] excluded;

    /** A walk over edges of the kinds in the mask that visits no excluded node. */
    Walk(Graph graph, int mask, Rule rule, boolean[] excluded) {
        this.graph = graph;
        this.mask = mask | Graph.THROUGH;
        this.rule = rule;
        this.excluded = excluded;
    }

    Graph graph() {
        return graph;
    }

    Rule rule() {
        return rule;
    }

    int states() {
        return graph.nodes() * 2;
    }

    static int state(int node, boolean bit) {
        return node * 2 + (bit ? 1 : 0);
    }

    static int node(int state) {
        return state >> 1;
    }

    boolean isExcluded(int node) {
        return excluded[node];
    }

    /** Returns the state after the edge, or -1 if the rule does not allow it. */
    int step(int state, int edge) {
        int kind = graph.kind(edge);
        int target = graph.target(edge);
        if ((kind & mask) == 0 || excluded[target]) return -1;
        if (kind == Graph.THROUGH) return target * 2 + (state & 1);
        return switch (rule) {
            case FREE -> target * 2;
            case SEPARATE -> !Graph.isAnti(kind) ? target * 2 : (state & 1) == 0 ? target * 2 + 1 : -1;
            case PAIRED -> Graph.isAnti(kind) || (state & 1) == 1 ? target * 2 + 1 : -1;
        };
    }
}
