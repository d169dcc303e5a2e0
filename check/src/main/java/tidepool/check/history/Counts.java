package tidepool.check.history;

/**
 * How much a verdict rests on. A history without edges proves nothing, and this shows it.
 *
 * @param unknown transactions with an unknown outcome, those that never completed included
 * @param realtimeEdges after compression: about one for each transaction, not one for each ordered pair
 */
public record Counts(
        long transactions,
        long ok,
        long failed,
        long unknown,
        long keys,
        long operations,
        long wwEdges,
        long wrEdges,
        long rwEdges,
        long processEdges,
        long realtimeEdges) {
    static Counts of(History history, Graph graph) {
        Transactions transactions = history.transactions;
        long ok = 0;
        long failed = 0;
        long operations = 0;
        for (int t = 0; t < transactions.count(); t++) {
            if (transactions.isOk(t)) ok++;
            if (transactions.isFailed(t)) failed++;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++)
                if (!history.keys.isBucket(history.ops.key(op))) operations++;
        }
        return new Counts(
                transactions.count(),
                ok,
                failed,
                transactions.count() - ok - failed,
                history.keyCount(),
                operations,
                graph.count(Graph.WW),
                graph.count(Graph.WR),
                graph.count(Graph.RW),
                graph.count(Graph.PROCESS),
                graph.count(Graph.REALTIME));
    }

    /** One line. */
    @Override
    public String toString() {
        return transactions + " transactions (" + ok + " ok, " + failed + " failed, " + unknown + " unknown), "
                + operations + " operations on " + keys + " keys; edges: " + wwEdges + " ww, " + wrEdges + " wr, "
                + rwEdges + " rw, " + processEdges + " process, " + realtimeEdges + " realtime";
    }
}
