package tidepool;

import java.util.LinkedHashSet;
import java.util.Set;
import tidepool.protocol.ordered.IndexCounts;
import tidepool.txn.AbortReason;

/**
 * The outcomes of the transactions of this process. Every coordinator counts for itself, so that counting costs next to
 * nothing; a query adds up. Counts of running threads may be a little old.
 *
 * <pre>{@code
 * System.out.println(pool.statistics()); // commits=812 aborts=3 LOCKED=2 ROLLED_BACK=1 recoveries=0
 * }</pre>
 */
public final class Statistics {
    // A monitor is enough: no thread waits inside it.
    private final Set<TxnCounts> live = new LinkedHashSet<>();
    private final TxnCounts retired = new TxnCounts();
    private long recoveries;
    private IndexCounts indexes;

    Statistics() {}

    /** Called when the pool is opened, with the counts of its indexes. */
    synchronized void indexes(IndexCounts counts) {
        indexes = counts;
    }

    /**
     * Returns what this process has done to ordered indexes, in one line, such as {@code splits=12 inner=0 lifts=1
     * separators=12 merges=3 searches=0 steps=4}.
     */
    public synchronized String indexes() {
        return indexes.toString();
    }

    /** Returns the attempts that committed. */
    public synchronized long commits() {
        long sum = retired.commits();
        for (TxnCounts counts : live) sum += counts.commits();
        return sum;
    }

    /** Returns the attempts that were aborted for this reason. */
    public synchronized long aborts(AbortReason reason) {
        long sum = retired.aborts(reason);
        for (TxnCounts counts : live) sum += counts.aborts(reason);
        return sum;
    }

    /** Returns the attempts that were aborted for any reason, those that the application rolled back included. */
    public synchronized long aborts() {
        long sum = 0;
        for (AbortReason reason : AbortReason.values()) sum += aborts(reason);
        return sum;
    }

    /** Returns the sessions that this process has recovered, its own failed ones included. */
    public synchronized long recoveries() {
        return recoveries;
    }

    /** Returns the counts in one line, such as {@code commits=812 aborts=3 LOCKED=2 ROLLED_BACK=1 recoveries=0}. */
    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder("commits=" + commits() + " aborts=" + aborts());
        for (AbortReason reason : AbortReason.values())
            if (aborts(reason) != 0) text.append(" " + reason + "=" + aborts(reason));
        return text.append(" recoveries=" + recoveries).toString();
    }

    /** Returns the counts of a new coordinator. */
    synchronized TxnCounts open() {
        TxnCounts counts = new TxnCounts();
        live.add(counts);
        return counts;
    }

    /** Called when a coordinator has ended; its counts are kept. */
    synchronized void retire(TxnCounts counts) {
        if (live.remove(counts)) retired.add(counts);
    }

    synchronized void recovered() {
        recoveries++;
    }
}
