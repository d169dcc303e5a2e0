package tidepool.store;

import java.util.Locale;

/**
 * Which replicas of a record are persistent before a transaction is reported (FORD §4.5). All coordinators of a pool agree
 * on it, and its catalog knows it: after a loss of power only flushed replicas are believed, and the others are made anew
 * from them.
 */
public enum Flush {
    /** None: a loss of power is the end of the pool. */
    NONE,
    /** The backups, once each; the primary where there are none, or where the pool is to have none. */
    SELECTIVE,
    /** All, after each record. */
    FULL;

    /** Whether what was reported outlasts a loss of power. */
    public boolean isDurable() {
        return this != NONE;
    }

    /** Whether the i-th copy of a partition is flushed; 0 is the primary. One that is being filled is no backup yet. */
    public boolean covers(Placement placement, int partition, int i) {
        return this == FULL || this == SELECTIVE && (i > 0 || placement.whole(partition) == 1 || placement.isSingle());
    }

    /** Whether a node flushes what it holds of a partition. */
    public boolean isAt(int node, Placement placement, int partition) {
        return placement.holds(node, partition) && covers(placement, partition, placement.copyOf(node, partition));
    }

    /** As it is written in a pool URL. */
    public String text() {
        return "flush=" + name().toLowerCase(Locale.ROOT);
    }
}
