package tidepool.history;

import static tidepool.history.VersionOrders.INITIAL;
import static tidepool.history.VersionOrders.NONE;
import static tidepool.history.VersionOrders.UNKNOWN;

/**
 * Builds the graph of the relation "must come before".
 *
 * <pre>
 *   A -ww-> B   B replaced a version that A wrote
 *   A -wr-> B   B read a version that A wrote
 *   A -rw-> B   B replaced a version that A read, so A did not see B (anti-dependency)
 *               also wr and rw by what a range read returned and did not: {@link RangeReads}
 *   A -process-> B    the same process did A, then B
 *   A -realtime-> B   A had completed before B was invoked
 * </pre>
 *
 * Only neighbours are connected; the search follows paths.
 */
final class Dependencies {
    private final History history;
    private final Ops ops;
    private final Transactions transactions;
    private final VersionOrders orders;
    private final Graph.Builder graph;

    private Dependencies(History history, VersionOrders orders) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.orders = orders;
        this.graph = new Graph.Builder(transactions.count());
    }

    static Graph of(History history, VersionOrders orders, RangeReads ranges) {
        Dependencies dependencies = new Dependencies(history, orders);
        Tails tails = dependencies.tails();
        dependencies.versions(tails);
        for (RangeReads.Edge edge : ranges.edges())
            dependencies.graph.edge(edge.from(), edge.to(), edge.kind(), edge.fromOp(), edge.toOp());
        dependencies.processes();
        dependencies.realTime();
        return dependencies.graph.build();
    }

    /** Returns the versions that come after the known chain of their key, in an unknown order. */
    private Tails tails() {
        Tails tails = new Tails(history.keys.count(), graph);
        forEachOperation((t, op) -> {
            if (ops.isWrite(op) && orders.predecessor(op) == UNKNOWN) tails.add(ops.key(op), t, op);
        });
        return tails;
    }

    private void versions(Tails tails) {
        forEachOperation((t, op) -> {
            if (ops.isWrite(op)) write(t, op, tails);
            else read(t, op, tails);
        });
    }

    private void write(int t, int op, Tails tails) {
        int replaced = orders.predecessor(op);
        if (replaced >= 0 && transactions.owner(replaced) != t) {
            graph.edge(transactions.owner(replaced), t, Graph.WW, replaced, op);
        }
        if (orders.last(ops.key(op)) == op) tails.enter(ops.key(op), t, Graph.WW, op);
    }

    private void read(int t, int op, Tails tails) {
        int source = orders.source(op);
        if (source == UNKNOWN) return;
        if (source != INITIAL && transactions.owner(source) != t) {
            graph.edge(transactions.owner(source), t, Graph.WR, source, op);
        }
        // The versions after the transaction's own write are already ordered by that write.
        if (orders.ownWriteBefore(op) != NONE || !orders.agrees(op)) return;
        int next = orders.successor(source, ops.key(op));
        if (next != NONE) {
            if (transactions.owner(next) != t) graph.edge(t, transactions.owner(next), Graph.RW, op, next);
        } else if (source == orders.last(ops.key(op))) {
            tails.enter(ops.key(op), t, Graph.RW, op);
        }
    }

    private void processes() {
        LongIntMap newest = new LongIntMap();
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            int before = newest.get(transactions.process(t));
            if (before != LongIntMap.ABSENT) graph.edge(before, t, Graph.PROCESS, -1, -1);
            newest.put(transactions.process(t), t);
        }
    }

    /**
     * Sweeps over the events in time and adds a gate wherever a transaction begins after others have completed. A
     * completed transaction has an edge into the next gate, the gates form a row, and a transaction that begins has an
     * edge from the newest gate. So three edges for each transaction replace half of all pairs.
     */
    private void realTime() {
        int gate = NONE;
        int done = 0;
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            int before = gate;
            for (; done < history.completionOrder.length; done++) {
                int completed = history.completionOrder[done];
                if (transactions.completed(completed) > transactions.invoked(t)) break;
                if (gate == before) {
                    gate = graph.gate();
                    if (before != NONE) graph.edge(before, gate, Graph.THROUGH, -1, -1);
                }
                graph.edge(completed, gate, Graph.REALTIME, -1, -1);
            }
            if (gate != NONE) graph.edge(gate, t, Graph.THROUGH, -1, -1);
        }
    }

    private interface Visitor {
        void visit(int transaction, int op);
    }

    private void forEachOperation(Visitor visitor) {
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) visitor.visit(t, op);
        }
    }
}
