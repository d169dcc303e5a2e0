package tidepool.history;

/**
 * Amount of evidence on which a verdict is based. A history without edges proves nothing, and these counts show it.
 *
 * @param unknown transactions with an unknown outcome, those that never completed included
 * @param unknownThatHappened transactions of unknown outcome of which another transaction has seen a write
 * @param operations with each range read as one, whatever it returned
 * @param wrEdges with those that range reads have by rows that they did not return
 * @param rwEdges with those that range reads have by rows that they did not return
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
        long rangeReads,
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
                if (isCounted(history, op)) operations++;
        }
        return new HistoryCounts(
                transactions.count(),
                ok,
                failed,
                transactions.count() - ok - failed,
                happened,
                history.keyCount(),
                operations,
                history.ranges.count(),
                graph.count(Graph.WW),
                graph.count(Graph.WR | Graph.WR_IN_TIME),
                graph.count(Graph.RW | Graph.RW_IN_TIME),
                graph.count(Graph.PROCESS),
                graph.count(Graph.REALTIME));
    }

    private static boolean isCounted(History history, int op) {
        boolean isOfBucket = history.keys.isBucket(history.ops.key(op));
        return !isOfBucket && !history.ops.isPartOfRange(op) && history.ops.kind(op) != Ops.ENTRY;
    }

    /** Returns the counts as one line. */
    @Override
    public String toString() {
        return transactions + " transactions (" + ok + " ok, " + failed + " failed, " + unknown + " unknown"
                + (unknown == 0 ? "" : ", of which " + unknownThatHappened + " happened") + "), " + operations
                + " operations on " + keys + " keys"
                + (rangeReads == 0 ? "" : ", " + rangeReads + " of them range reads") + "; edges: " + wwEdges + " ww, "
                + wrEdges + " wr, "
                + rwEdges + " rw, " + processEdges + " process, " + realtimeEdges + " realtime";
    }
}
