package tidepool;

import java.util.LinkedHashSet;
import java.util.Set;
import tidepool.protocol.AbortReason;

/**
 * What has become of the transactions of this process. Every coordinator counts for itself, so that counting costs
 * next to nothing; asking adds up. Numbers of threads that are running may be a little old.
 */
public final class Statistics {
    // A monitor will do: nobody waits inside it.
    private final Set<Counts> live = new LinkedHashSet<>();
    private final Counts retired = new Counts();
    private long recoveries;

    Statistics() {}

    /** Attempts that committed. */
    public synchronized long commits() {
        long sum = retired.commits();
        for (Counts counts : live) sum += counts.commits();
        return sum;
    }

    /** Attempts that were aborted for this reason. */
    public synchronized long aborts(AbortReason reason) {
        long sum = retired.aborts(reason);
        for (Counts counts : live) sum += counts.aborts(reason);
        return sum;
    }

    /** Attempts that were aborted for whatever reason, those that the application rolled back included. */
    public synchronized long aborts() {
        long sum = 0;
        for (AbortReason reason : AbortReason.values()) sum += aborts(reason);
        return sum;
    }

    /** Sessions that this process has recovered, those of its own that failed included. */
    public synchronized long recoveries() {
        return recoveries;
    }

    /** For a new coordinator. */
    synchronized Counts open() {
        Counts counts = new Counts();
        live.add(counts);
        return counts;
    }

    /** Its coordinator has ended; what it has counted stays. */
    synchronized void retire(Counts counts) {
        if (live.remove(counts)) retired.add(counts);
    }

    synchronized void recovered() {
        recoveries++;
    }
}
