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
 * Requests that arrived before a verb was posted may share it. For one strand or thread.
 */
public interface Timestamps {
    /** Adds the request for a commit timestamp to a round; {@link #taken} gives it when the round was awaited. */
    void take(Round round);

    /** The commit timestamp that was asked for last. */
    long taken();

    /** A timestamp that was given, or read, before this call: all that are asked for behind it are greater. 0 if none is known. */
    long known();

    /** The newest timestamp that was given: what has committed with it or before, and nothing else, is in the snapshot. Waits. */
    long snapshot();
}
