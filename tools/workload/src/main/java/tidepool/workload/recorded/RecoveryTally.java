package tidepool.workload.recorded;

import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.workload.EventCounts;

/** Counts of the work of recoveries, over all transactions that they found. Threads may share one. */
public final class RecoveryTally implements PoolListener {
    private static final String SESSIONS = "sessions";
    private static final String FINISHED = "finished";
    private static final String UNDONE = "undone";
    private static final String LOCKS = "locks freed";

    private final EventCounts eventCounts = new EventCounts();

    @Override
    public void recovered(RecoveryReport report) {
        eventCounts.add(SESSIONS);
        eventCounts.add(FINISHED, report.finished());
        eventCounts.add(UNDONE, report.undone());
        eventCounts.add(LOCKS, report.locksFreed());
    }

    void add(EventCounts others) {
        eventCounts.add(others);
    }

    /** Returns the counts for another process. */
    EventCounts eventCounts() {
        return eventCounts;
    }

    /**
     * Returns the number of recoveries. A session that two processes find dead is counted twice; the second finds
     * nothing.
     */
    public long sessions() {
        return eventCounts.count(SESSIONS);
    }

    /**
     * Returns the number of dead transactions that were finished: they had reached their commit point, and are now
     * applied everywhere.
     */
    public long finished() {
        return eventCounts.count(FINISHED);
    }

    /** Returns the number of dead transactions that had begun to log or to write, and were undone. */
    public long undone() {
        return eventCounts.count(UNDONE);
    }

    /** Returns the number of locks of dead sessions that no log names. */
    public long locksFreed() {
        return eventCounts.count(LOCKS);
    }
}
