package tidepool.protocol.motor;

import tidepool.fabric.Round;

/**
 * Where transactions get their timestamps. Two rules make snapshots whole:
 *
 * <ul>
 *   <li>A commit timestamp is asked for when every lock of its transaction is held, and is greater than everything that
 *       anybody was given, or has read, before it was asked for.
 *   <li>A snapshot is read before anything that is read in it. Whoever locks later gets a greater timestamp.
 * </ul>
 *
 * Hence nobody keeps timestamps for later: an old one used to commit puts a version under a snapshot that was read already.
 * Requests that arrived before a verb was posted may share it, none that came later. For one strand or thread.
 */
public interface Timestamps {
    /**
     * Asks for a commit timestamp; all locks are held. May let other strands run first.
     *
     * @return whether a verb was added to the round, which is then awaited before {@link #taken}; otherwise somebody else's is
     *     shared, and the round is as it was
     */
    boolean take(Round round);

    /** The commit timestamp that was asked for last. Waits, if the request is shared with somebody else. */
    long taken();

    /** How many requests were answered by what somebody else had sent for several. */
    default long sharedRequests() {
        return 0;
    }

    /** A timestamp that was given, or read, before this call: all that are asked for behind it are greater. 0 if none is known. */
    long known();

    /** The newest timestamp that was given: what has committed with it or before, and nothing else, is in the snapshot. Waits. */
    long snapshot();
}
