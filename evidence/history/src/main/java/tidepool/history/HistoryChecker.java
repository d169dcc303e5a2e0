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
        AnomalyCollector findings = new AnomalyCollector(history.transactions, options.shownPerKind());
        Narrator narrator = new Narrator(history);
        VersionOrders orders = new VersionOrders(history);

        new ReadChecks(history, orders, narrator, findings).run();
        new InternalChecks(history, orders, narrator, findings).run();
        new WriteChecks(history, orders, narrator, findings).run();
        new PresenceChecks(history, orders, narrator, findings).run();

        Graph graph = Dependencies.of(history, orders);
        new CycleSearch(graph, findings, narrator, options.effort()).run();

        return new Verdict(
                findings.shown(),
                findings.totals(),
                findings.violated(),
                HistoryCounts.of(history, orders, graph),
                history.warnings());
    }
}
