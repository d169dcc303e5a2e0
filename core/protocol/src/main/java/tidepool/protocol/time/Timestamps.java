package tidepool.protocol.time;

import tidepool.fabric.Round;

/**
 * A source of timestamps for transactions. Two rules make snapshots consistent:
 *
 * <ul>
 *   <li>A commit timestamp is asked for when every lock of its transaction is held. It is greater than every timestamp
 *       that any transaction was given, or has read, before it was asked for.
 *   <li>A snapshot is read before anything that is read in it. A transaction that locks later gets a greater timestamp.
 * </ul>
 *
 * Hence a coordinator keeps no timestamps for later: a commit with an old one would put a version under a snapshot that
 * was read already. Requests that arrived before a verb was posted may share it, later ones may not. For one strand or
 * thread.
 */
public interface Timestamps {
    /**
     * Asks for a commit timestamp. All locks are held. May let other strands run first.
     *
     * @return whether a verb was added to the round, which is then awaited before {@link #taken}; otherwise the verb of
     *     another coordinator is shared, and the round is as it was
     */
    boolean take(Round round);

    /**
     * Returns the commit timestamp that was asked for last. If the request is shared with another coordinator, waits
     * for its answer.
     */
    long taken();

    /** Returns how many requests were answered by a verb that another coordinator had sent for several. */
    default long sharedRequests() {
        return 0;
    }

    /**
     * Returns a timestamp that was given, or read, before this call: all that are asked for after it are greater. 0 if
     * none is known.
     */
    long known();

    /**
     * Waits for and returns the newest timestamp that was given. The snapshot holds all that has committed with it or
     * before, and nothing else.
     */
    long snapshot();
}
