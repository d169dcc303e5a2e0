package tidepool.protocol;

import tidepool.fabric.Traffic;

/** What one strand or thread needs to run transactions one after the other. */
public interface Coordinator extends AutoCloseable {
    /** Begins a new attempt under a new id; the one before it must have ended. */
    Txn begin();

    /** What this coordinator has sent so far. */
    Traffic traffic();

    /** Whether a failure of the fabric has made this coordinator useless; its session has to be recovered. */
    boolean isBroken();

    /** Waits for work in the background, then leaves nothing behind. */
    @Override
    void close();
}
