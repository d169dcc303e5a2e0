package tidepool.store;

import java.util.Locale;

/**
 * Which replicas of a record are persistent before a transaction is reported (FORD §4.5). All coordinators of a pool
 * use the policy that its catalog records. After a loss of power only flushed replicas are trusted, and the others are
 * made anew from them.
 */
public enum FlushPolicy {
    /** No replica: a loss of power ends the pool. */
    NONE,
    /** The backups, once each. The primary, where there are no backups, or where the pool is to have none. */
    SELECTIVE,
    /** All replicas, after each record. */
    FULL;

    /** Returns whether reported transactions outlast a loss of power. */
    public boolean isDurable() {
        return this != NONE;
    }

    /**
     * Returns whether the i-th copy of a partition is flushed; 0 is the primary. A copy that is being filled is no
     * backup yet.
     */
    public boolean covers(Placement placement, int partition, int i) {
        return this == FULL || this == SELECTIVE && (i > 0 || placement.whole(partition) == 1 || placement.isSingle());
    }

    /** Returns whether a node flushes its copy of a partition. */
    public boolean isAt(int node, Placement placement, int partition) {
        return placement.holds(node, partition) && covers(placement, partition, placement.copyOf(node, partition));
    }

    /** Returns the policy as it is written in a pool URL. */
    public String text() {
        return "flush=" + name().toLowerCase(Locale.ROOT);
    }
}
