package tidepool.fabric;

import tidepool.base.Id128;
import tidepool.memory.Extent;
import tidepool.memory.NodeStatistics;

/**
 * Control calls to one memory node: set-up, growth and fencing. They wait, they are not counted as verbs, and no
 * protocol uses them on its critical path.
 */
public interface NodeControl {
    /** Adds a region of at least {@code bytes} zeroed bytes; returns the capability that opens it. */
    Id128 createRegion(long bytes);

    /** Takes the region away. Verbs on it are refused from now on; its memory is given back. */
    void freeRegion(Id128 capability);

    /** Takes an extent of zeroed memory out of a region, for the given session. */
    Extent allocate(Id128 capability, long bytes, int session);

    /** Gives an extent back. */
    void free(Id128 capability, Extent extent);

    /** The capabilities of all regions, in the order of their numbers; freed ones are null. */
    Id128[] regions();

    /**
     * Stops a session at this node. When it returns, every verb and all chained work of that session has finished or
     * been dropped, and no further one will be carried out. Revoking twice does nothing more.
     */
    void revoke(int session);

    /** Whether the session was revoked here and not yet forgotten. */
    boolean isRevoked(int session);

    /** The sessions attached here or revoked and not yet forgotten. */
    int[] sessions();

    /** Drops the memory of a revoked session once it is repaired; its number is never used again. */
    void forget(int session);

    /** The node's epoch. Links made under an older one are refused. */
    long epoch();

    /** Moves the epoch forward; links have to {@link Link#reconnect()}. Never moves back. */
    void raiseEpoch(long epoch);

    /**
     * How often this node has come back without what was not flushed. Whoever keeps something in its memory compares it
     * with what it knew; a node that cannot tell says 0.
     */
    default long powerLosses() {
        return 0;
    }

    /**
     * Why what this node holds of the pool may be older than what it has acknowledged, in words that name the node; null
     * if nothing is known against it. Such a node is believed in nothing, and filled from the others.
     */
    default String doubt() {
        return null;
    }

    /** Says that other copies are newer than what this node holds, or that it was filled from them. Is kept when it returns. */
    default void setDoubted(boolean doubted) {}

    /**
     * A word that names the node's journal, then number and nonce of each start that it remembers, the present one last;
     * empty if it cannot tell. A
     * node that does not know a start which others have seen came back with an older journal.
     */
    default long[] lives() {
        return new long[0];
    }

    /**
     * Whether a FLUSH that was answered outlasts the process or the machine that has the memory. A node that says no
     * answers FLUSHes all the same; one that cannot tell says yes.
     */
    default boolean keepsFlushed() {
        return true;
    }

    NodeStatistics statistics();
}
