package tidepool.fabric;

import tidepool.base.Id128;
import tidepool.memory.Extent;
import tidepool.memory.NodeStatistics;

/**
 * Control calls to one memory node: set-up, growth and fencing. They wait, they are not counted as verbs, and no
 * protocol uses them on its critical path.
 */
public interface NodeControl {
    /** Creates a region of at least {@code bytes} zeroed bytes. Returns the capability that opens it. */
    Id128 createRegion(long bytes);

    /** Frees a region. Verbs on it are refused from now on, and its memory is given back. */
    void freeRegion(Id128 capability);

    /** Allocates an extent of zeroed memory in a region, for the given session. */
    Extent allocate(Id128 capability, long bytes, int session);

    /** Frees an extent. */
    void free(Id128 capability, Extent extent);

    /** Returns the capabilities of all regions, in the order of their numbers; null for a freed one. */
    Id128[] regions();

    /**
     * Stops a session at this node. When it returns, all verbs and chained work of that session have finished or been
     * dropped, and no further ones will be executed. A second revocation has no further effect.
     */
    void revoke(int session);

    /** Returns whether the session was revoked here and is not yet forgotten. */
    boolean isRevoked(int session);

    /** Returns the sessions that are attached here, or revoked and not yet forgotten. */
    int[] sessions();

    /** Removes a revoked session from the list once it is repaired. Its number is never used again. */
    void forget(int session);

    /** Returns the node's epoch. Links made under an older one are refused. */
    long epoch();

    /** Raises the epoch; links have to {@link Link#reconnect()}. Never lowers it. */
    void raiseEpoch(long epoch);

    /**
     * Returns how often this node has come back without the data that was not flushed. A client that keeps data in its
     * memory compares this number with the one it knew. A node that cannot tell returns 0.
     */
    default long powerLosses() {
        return 0;
    }

    /**
     * Returns why this node's copy of the pool may be older than what it has acknowledged, in words that name the node;
     * null if nothing is known against it. No data of such a node is trusted; it is filled from the others.
     */
    default String doubt() {
        return null;
    }

    /**
     * Records that other copies are newer than that of this node, or that it was filled from them. Durable when it
     * returns.
     */
    default void setDoubted(boolean doubted) {}

    /**
     * Returns a word that names the node's journal, then number and nonce of each start that it remembers, the present
     * one last; empty if it cannot tell. A node that does not know a start which others have seen came back with an
     * older journal.
     */
    default long[] lives() {
        return new long[0];
    }

    /**
     * Returns whether the data of an answered FLUSH outlasts the process or machine that has the memory. A node that
     * returns false still answers FLUSHes; a node that cannot tell returns true.
     */
    default boolean keepsFlushed() {
        return true;
    }

    NodeStatistics statistics();
}
