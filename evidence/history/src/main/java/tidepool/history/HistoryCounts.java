package tidepool.history;

/**
 * Amount of evidence on which a verdict is based. A history without edges proves nothing, and these counts show it.
 *
 * @param unknown transactions with an unknown outcome, those that never completed included
 * @param unknownThatHappened transactions of unknown outcome of which another transaction has seen a write
 * @param realtimeEdges after compression: about one for each transaction, not one for each ordered pair
 */
public record HistoryCounts(
        long transactions,
        long ok,
        long failed,
        long unknown,
        long unknownThatHappened,
        long keys,
        long operations,
        long wwEdges,
        long wrEdges,
        long rwEdges,
        long processEdges,
        long realtimeEdges) {
    static HistoryCounts of(History history, VersionOrders orders, Graph graph) {
        Transactions transactions = history.transactions;
        long ok = 0;
        long failed = 0;
        long happened = 0;
        long operations = 0;
        for (int t = 0; t < transactions.count(); t++) {
            if (transactions.isOk(t)) ok++;
            if (transactions.isFailed(t)) failed++;
            if (transactions.isUnknown(t) && orders.isCommitted(t)) happened++;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++)
                if (!history.keys.isBucket(history.ops.key(op))) operations++;
        }
        return new HistoryCounts(
                transactions.count(),
                ok,
                failed,
                transactions.count() - ok - failed,
                happened,
                history.keyCount(),
                operations,
                graph.count(Graph.WW),
                graph.count(Graph.WR),
                graph.count(Graph.RW),
                graph.count(Graph.PROCESS),
                graph.count(Graph.REALTIME));
    }

    /** Returns the counts as one line. */
    @Override
    public String toString() {
        return transactions + " transactions (" + ok + " ok, " + failed + " failed, " + unknown + " unknown"
                + (unknown == 0 ? "" : ", of which " + unknownThatHappened + " happened") + "), " + operations
                + " operations on " + keys + " keys; edges: " + wwEdges + " ww, " + wrEdges + " wr, "
                + rwEdges + " rw, " + processEdges + " process, " + realtimeEdges + " realtime";
    }
}
