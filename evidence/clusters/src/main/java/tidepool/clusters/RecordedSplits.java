package tidepool.clusters;

import tidepool.protocol.record.SplitListener;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;

/** Records the splits of one table as attempts of a history: each gives two buckets a new version. */
final class RecordedSplits implements SplitListener {
    private final ClusterHistory history;
    private final ClusterReport report;
    private final String table;

    RecordedSplits(ClusterHistory history, ClusterReport report, String table) {
        this.history = history;
        this.report = report;
        this.table = table;
    }

    @Override
    public void commits(long txn, TableLayout of, long from, long fromVersion, long to, long toVersion) {
        report.add(isRecorded(of) ? "split begun" : "split of parts begun", 1);
        if (!isRecorded(of)) return;
        long fromPlace = VersionedPlace.ofBucket(from);
        long toPlace = VersionedPlace.ofBucket(to);
        history.split(txn, "split", new RecordedAttempt.Split(fromPlace, fromVersion, toPlace, toVersion));
    }

    private boolean isRecorded(TableLayout of) {
        return of.name().equals(table);
    }

    @Override
    public void ended(long txn, Outcome outcome) {
        report.add("split " + outcome, 1);
        RecordedAttempt attempt = history.find(txn);
        if (attempt == null) return; // of a table with parts of long contents
        if (outcome == Outcome.COMMITTED) history.ok(attempt);
        if (outcome == Outcome.ABORTED) history.failed(attempt);
    }
}
