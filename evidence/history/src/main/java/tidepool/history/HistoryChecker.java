package tidepool.history;

/**
 * Checks a history against strict serializability, serializability and snapshot isolation.
 *
 * <p>Every reported anomaly is proven by the history. An anomaly that is not reported may still have happened, if no
 * read shows it. The cost is linear in the size of the history, as long as there are no anomalies.
 */
public final class HistoryChecker {
    private HistoryChecker() {}

    /** Checks with the default options. */
    public static Verdict check(History history) {
        return check(history, CheckOptions.DEFAULT);
    }

    /** Looks for anomalies of single reads, then for cycles, and returns which levels are left. */
    public static Verdict check(History history, CheckOptions options) {
        AnomalyCollector anomalies = new AnomalyCollector(history.transactions, options.shownPerKind());
        Narrator narrator = new Narrator(history);
        VersionOrders orders = new VersionOrders(history);

        new ReadChecks(history, orders, narrator, anomalies).run();
        new InternalChecks(history, orders, narrator, anomalies).run();
        new WriteChecks(history, orders, narrator, anomalies).run();
        new PresenceChecks(history, orders, narrator, anomalies).run();

        RangeReads ranges = new RangeReads(history, orders);
        new RangeChecks(history, ranges, narrator, anomalies).run();

        Graph graph = Dependencies.of(history, orders, ranges);
        new CycleSearch(graph, anomalies, narrator, options.effort()).run();

        return new Verdict(
                anomalies.shown(),
                anomalies.totals(),
                anomalies.violated(),
                HistoryCounts.of(history, orders, graph),
                history.warnings());
    }
}
