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
    /** The backups, once each; the primary where there are none. */
    SELECTIVE,
    /** All, after each record. */
    FULL;

    /** Whether what was reported outlasts a loss of power. */
    public boolean isDurable() {
        return this != NONE;
    }

    /** Whether a replica is flushed; 0 is the primary. */
    public boolean covers(int replica, int replicas) {
        return this == FULL || this == SELECTIVE && (replica > 0 || replicas == 1);
    }

    /** Whether a node flushes what it holds of a partition. */
    public boolean covers(Placement placement, int node, int partition) {
        return placement.holds(node, partition)
                && covers(Math.floorMod(node - partition, placement.nodes()), placement.replicas());
    }

    /** As it is written in a pool URL. */
    public String text() {
        return "flush=" + name().toLowerCase(Locale.ROOT);
    }
}
