package tidepool.history;

/** Reports range reads that are wrong whatever other transactions did. */
final class RangeChecks {
    private final History history;
    private final Transactions transactions;
    private final RangeReads reads;
    private final Narrator narrator;
    private final AnomalyCollector anomalies;

    RangeChecks(History history, RangeReads reads, Narrator narrator, AnomalyCollector anomalies) {
        this.history = history;
        this.transactions = history.transactions;
        this.reads = reads;
        this.narrator = narrator;
        this.anomalies = anomalies;
    }

    void run() {
        for (RangeReads.Found found : reads.faults()) report(found);
    }

    private void report(RangeReads.Found found) {
        int t = transactions.owner(found.op());
        String key = history.keys.title(found.key());
        String wrong =
                switch (found.fault()) {
                    case DISORDER -> "; " + key + " is not where it must be, or outside of the range";
                    case NEVER_THERE -> "; " + key + " was never at that position";
                    case NOT_AS_OWN -> "; it had written " + key + " itself, and does not see that";
                };
        anomalies.add(
                found.fault() == RangeReads.Fault.NEVER_THERE ? AnomalyKind.GARBAGE_READ : AnomalyKind.INTERNAL,
                () -> narrator.story(narrator.name(t) + " " + narrator.read(found.op()) + wrong, found.key(), t),
                t);
    }
}
