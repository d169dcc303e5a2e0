package tidepool.history;

/** Reports rows that were not found, or inserted a second time, while their bucket says that they existed. */
final class PresenceChecks {
    private final Ops ops;
    private final Transactions transactions;
    private final VersionOrders orders;
    private final Narrator narrator;
    private final AnomalyCollector anomalies;

    PresenceChecks(History history, VersionOrders orders, Narrator narrator, AnomalyCollector anomalies) {
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.orders = orders;
        this.narrator = narrator;
        this.anomalies = anomalies;
    }

    void run() {
        Presence presence = orders.presence();
        if (presence == null) return;
        for (int i = 0; i < presence.contradictionCount(); i++) missed(presence.missed(i), presence.inserted(i));
    }

    private void missed(int op, int insert) {
        int t = transactions.owner(op);
        int other = transactions.owner(insert);
        anomalies.add(
                AnomalyKind.MISSED_KEY,
                () -> narrator.story(
                        narrator.name(t) + " " + (ops.isWrite(op) ? narrator.wrote(op) : narrator.read(op))
                                + "; but before that " + narrator.name(other) + " " + narrator.wrote(insert)
                                + ", and nobody had removed it",
                        ops.key(op),
                        t,
                        other),
                t,
                other);
    }
}
