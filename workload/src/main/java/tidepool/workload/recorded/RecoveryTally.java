package tidepool.workload.recorded;

import tidepool.PoolListener;
import tidepool.protocol.Recovery;
import tidepool.workload.Facts;

/** What recoveries of the dead have done, of all transactions that they found; threads may share one. */
public final class RecoveryTally implements PoolListener {
    private static final String SESSIONS = "sessions";
    private static final String FINISHED = "finished";
    private static final String UNDONE = "undone";
    private static final String LOCKS = "locks freed";

    private final Facts facts = new Facts();

    @Override
    public void recovered(Recovery.Report report) {
        facts.add(SESSIONS);
        facts.add(FINISHED, report.finished());
        facts.add(UNDONE, report.undone());
        facts.add(LOCKS, report.locksFreed());
    }

    void add(Facts others) {
        facts.add(others);
    }

    /** For another process. */
    Facts facts() {
        return facts;
    }

    /** Recoveries. A session that two processes find dead is counted twice; the second finds nothing. */
    public long sessions() {
        return facts.count(SESSIONS);
    }

    /** Transactions of the dead that were finished: they had come to their commit point, and now have happened everywhere. */
    public long finished() {
        return facts.count(FINISHED);
    }

    /** Transactions of the dead that had begun to log or to write, and were undone. */
    public long undone() {
        return facts.count(UNDONE);
    }

    /** Locks of the dead that no log spoke of. */
    public long locksFreed() {
        return facts.count(LOCKS);
    }
}
