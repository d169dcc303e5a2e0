package tidepool.history;

import java.util.Arrays;

/**
 * The strongly connected components of more than one state: exactly the states through which cycles go.
 *
 * <p>Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), with its own stack, since a history
 * is deeper than a thread's stack.
 */
final class Components {
    static final int NONE = -1;

    private final Walk walk;
    private final Graph graph;
    private final int[] componentOf;
    private final IntColumn members = new IntColumn();
    private final IntColumn starts = new IntColumn();

    private final int[] order;
    private final int[] low;
    private final int[] nextEdge;
    private final int[] path;
    private final int[] open;
    private int pathSize;
    private int openSize;
    private int visited;

    private Components(Walk walk) {
        this.walk = walk;
        this.graph = walk.graph();
        int states = walk.states();
        componentOf = new int[states];
        Arrays.fill(componentOf, NONE);
        order = new int[states];
        low = new int[states];
        nextEdge = new int[states];
        path = new int[states];
        open = new int[states];
        starts.add(0);
    }

    static Components of(Walk walk) {
        Components components = new Components(walk);
        for (int node = 0; node < walk.graph().nodes(); node++) {
            if (walk.isExcluded(node)) continue;
            components.explore(Walk.state(node, false));
            if (walk.rule() == Walk.Rule.SEPARATE) components.explore(Walk.state(node, true));
        }
        return components;
    }

    int count() {
        return starts.size() - 1;
    }

    /** Returns the component of a state, or {@link #NONE} if no cycle goes through it. */
    int of(int state) {
        return componentOf[state];
    }

    int first(int component) {
        return starts.at(component);
    }

    /** Returns the state at a position from {@code first(c)} to {@code first(c + 1)}. */
    int member(int position) {
        return members.at(position);
    }

    private void explore(int root) {
        if (order[root] != 0) return;
        enter(root);
        while (pathSize > 0) {
            int state = path[pathSize - 1];
            if (nextEdge[state] < graph.first(Walk.node(state) + 1)) {
                int target = walk.step(state, nextEdge[state]++);
                if (target < 0) continue;
                if (order[target] == 0) enter(target);
                else if (low[target] != Integer.MAX_VALUE) low[state] = Math.min(low[state], order[target]);
            } else {
                leave(state);
            }
        }
    }

    private void enter(int state) {
        order[state] = ++visited;
        low[state] = visited;
        nextEdge[state] = graph.first(Walk.node(state));
        path[pathSize++] = state;
        open[openSize++] = state;
    }

    private void leave(int state) {
        pathSize--;
        int lowest = low[state];
        if (lowest == order[state]) close(state);
        if (pathSize > 0) low[path[pathSize - 1]] = Math.min(low[path[pathSize - 1]], lowest);
    }

    /** Takes the component off the stack. A single state is no cycle: no edge leads from a node to itself. */
    private void close(int root) {
        boolean alone = open[openSize - 1] == root;
        int component = count();
        int state;
        do {
            state = open[--openSize];
            low[state] = Integer.MAX_VALUE;
            if (!alone) {
                componentOf[state] = component;
                members.add(state);
            }
        } while (state != root);
        if (!alone) starts.add(members.size());
    }
}
