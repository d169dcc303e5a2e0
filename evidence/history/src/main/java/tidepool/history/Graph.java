package tidepool.history;

/**
 * A directed graph in compressed rows: the edges that leave node n are {@code first(n)} to {@code first(n + 1)}.
 *
 * <p>Nodes are the transactions, by number, and after them <em>gates</em>. A gate is a node that many edges share, so
 * that "each of these comes before each of those" costs the sum and not the product. An edge into a gate has a kind,
 * and an edge out of it is {@link #THROUGH}: together they are one edge between two transactions.
 */
final class Graph {
    static final int WW = 1;
    static final int WR = 2;
    static final int RW = 4;
    static final int PROCESS = 8;
    static final int REALTIME = 16;
    static final int THROUGH = 32;
    /** As {@link #RW} and {@link #WR}, but they follow only together with real time. */
    static final int RW_IN_TIME = 64;

    static final int WR_IN_TIME = 128;

    private final int[] firsts;
    private final int[] targets;
    private final byte[] kinds;
    private final int[] fromOps;
    private final int[] toOps;

    private Graph(int[] firsts, int[] targets, byte[] kinds, int[] fromOps, int[] toOps) {
        this.firsts = firsts;
        this.targets = targets;
        this.kinds = kinds;
        this.fromOps = fromOps;
        this.toOps = toOps;
    }

    int nodes() {
        return firsts.length - 1;
    }

    int first(int node) {
        return firsts[node];
    }

    int target(int edge) {
        return targets[edge];
    }

    int kind(int edge) {
        return kinds[edge] & 0xff;
    }

    /** Returns the operation of the earlier transaction that is the reason of the edge, or -1. */
    int fromOp(int edge) {
        return fromOps[edge];
    }

    /** Returns the operation of the later transaction that is the reason of the edge, or -1. */
    int toOp(int edge) {
        return toOps[edge];
    }

    /** Whether an edge of this kind is an anti-dependency. */
    static boolean isAnti(int kind) {
        return (kind & (RW | RW_IN_TIME)) != 0;
    }

    /** Returns the number of edges of these kinds. */
    long count(int kind) {
        long count = 0;
        for (byte k : kinds) {
            if ((k & kind) != 0) count++;
        }
        return count;
    }

    /** Collects edges in any order and sorts them by their origin. */
    static final class Builder {
        private final IntColumn from = new IntColumn();
        private final IntColumn to = new IntColumn();
        private final ByteColumn kinds = new ByteColumn();
        private final IntColumn fromOps = new IntColumn();
        private final IntColumn toOps = new IntColumn();
        private int nodes;

        Builder(int transactions) {
            nodes = transactions;
        }

        int gate() {
            return nodes++;
        }

        void edge(int origin, int target, int kind, int fromOp, int toOp) {
            from.add(origin);
            to.add(target);
            kinds.add((byte) kind);
            fromOps.add(fromOp);
            toOps.add(toOp);
        }

        Graph build() {
            int[] firsts = new int[nodes + 1];
            for (int i = 0; i < from.size(); i++) firsts[from.at(i) + 1]++;
            for (int n = 0; n < nodes; n++) firsts[n + 1] += firsts[n];
            int[] next = firsts.clone();
            int[] targets = new int[from.size()];
            byte[] sortedKinds = new byte[from.size()];
            int[] sortedFromOps = new int[from.size()];
            int[] sortedToOps = new int[from.size()];
            for (int i = 0; i < from.size(); i++) {
                int place = next[from.at(i)]++;
                targets[place] = to.at(i);
                sortedKinds[place] = kinds.at(i);
                sortedFromOps[place] = fromOps.at(i);
                sortedToOps[place] = toOps.at(i);
            }
            return new Graph(firsts, targets, sortedKinds, sortedFromOps, sortedToOps);
        }
    }
}
