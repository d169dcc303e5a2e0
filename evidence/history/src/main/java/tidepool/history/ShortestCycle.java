package tidepool.history;

import java.util.Arrays;

/**
 * Looks for a short cycle through an edge of a given kind inside one component.
 *
 * <p>From the end of each such edge a breadth-first search goes back to its beginning. The first search that arrives
 * gives a bound, and the following ones give up when they cannot be shorter. When the effort is used up, the best cycle
 * so far is returned. Leaving a gate costs nothing, so the length is counted in transactions.
 */
final class ShortestCycle {
    private final Graph graph;
    private final int[] distance;
    private final int[] viaEdge;
    private final int[] viaState;
    private IntColumn level = new IntColumn();
    private IntColumn nextLevel = new IntColumn();
    private final IntColumn touched = new IntColumn();
    private long spent;

    ShortestCycle(Graph graph) {
        this.graph = graph;
        distance = new int[graph.nodes() * 2];
        viaEdge = new int[graph.nodes() * 2];
        viaState = new int[graph.nodes() * 2];
        Arrays.fill(distance, Integer.MAX_VALUE);
    }

    /**
     * Returns a short cycle that begins with an edge of these kinds and continues by the walk, or null if none was
     * found.
     *
     * @param inside the components of which the walk must stay in one
     * @param effort number of edges that may be visited before the best cycle so far is returned
     */
    Cycle find(Walk walk, int startKind, Components inside, int component, long effort) {
        spent = 0;
        Cycle best = null;
        int bound = Integer.MAX_VALUE;
        for (int i = inside.first(component); i < inside.first(component + 1); i++) {
            int state = inside.member(i);
            int origin = Walk.node(state);
            if ((state & 1) == 1) continue;
            for (int edge = graph.first(origin); edge < graph.first(origin + 1); edge++) {
                if ((graph.kind(edge) & startKind) == 0 || walk.isExcluded(graph.target(edge))) continue;
                Cycle cycle = close(walk, origin, edge, inside, component, bound);
                if (cycle != null) {
                    best = cycle;
                    bound = cycle.length(graph);
                }
                if (bound == 2 || spent > effort) return best;
            }
        }
        return best;
    }

    /** Walks from the end of an edge to its origin in fewer than {@code bound} steps, the edge included. */
    private Cycle close(Walk walk, int origin, int first, Components inside, int component, int bound) {
        // After its first edge, a separate walk remembers an anti-dependency; a paired one waits for the second.
        boolean bit = walk.rule() == Walk.Rule.SEPARATE && Graph.isAnti(graph.kind(first));
        int goal = Walk.state(origin, walk.rule() == Walk.Rule.PAIRED);
        int start = Walk.state(graph.target(first), bit);
        if (!isInside(start, walk, inside, component)) return null;
        reach(start, 1, first, -1, level);
        for (int steps = 1; level.size() > 0 && steps < bound && distance[goal] == Integer.MAX_VALUE; steps++) {
            expand(walk, steps, inside, component, goal);
            IntColumn done = level;
            level = nextLevel;
            nextLevel = done;
            nextLevel.clear();
        }
        Cycle cycle = distance[goal] < bound ? trace(origin, goal) : null;
        forget();
        return cycle;
    }

    private void expand(Walk walk, int steps, Components inside, int component, int goal) {
        for (int i = 0; i < level.size(); i++) {
            int state = level.at(i);
            if (distance[state] != steps) continue;
            if (state == goal) return;
            int node = Walk.node(state);
            for (int edge = graph.first(node); edge < graph.first(node + 1); edge++) {
                spent++;
                int target = walk.step(state, edge);
                if (target < 0 || !isInside(target, walk, inside, component)) continue;
                if (graph.kind(edge) == Graph.THROUGH) reach(target, steps, edge, state, level);
                else reach(target, steps + 1, edge, state, nextLevel);
            }
        }
    }

    private void reach(int state, int steps, int edge, int from, IntColumn queue) {
        if (distance[state] <= steps) return;
        if (distance[state] == Integer.MAX_VALUE) touched.add(state);
        distance[state] = steps;
        viaEdge[state] = edge;
        viaState[state] = from;
        queue.add(state);
    }

    private boolean isInside(int state, Walk walk, Components inside, int component) {
        if (walk.rule() != Walk.Rule.PAIRED) return inside.of(state) == component;
        // Returning to the node between the two edges of the pair would join two cycles there; each is a cycle of its
        // own.
        boolean hinge = (state & 1) == 1 && distance[state & ~1] != Integer.MAX_VALUE;
        return inside.of(state & ~1) == component && !hinge;
    }

    private Cycle trace(int origin, int goal) {
        int count = 0;
        for (int state = goal; state >= 0; state = viaState[state]) count++;
        int[] edges = new int[count];
        for (int state = goal; state >= 0; state = viaState[state]) edges[--count] = viaEdge[state];
        return new Cycle(origin, edges);
    }

    private void forget() {
        for (int i = 0; i < touched.size(); i++) distance[touched.at(i)] = Integer.MAX_VALUE;
        touched.clear();
        level.clear();
        nextLevel.clear();
    }
}
