package tidepool.protocol;

import tidepool.fabric.Traffic;

/** What one strand or thread needs to run transactions one after the other. */
public interface Coordinator extends AutoCloseable {
    /** Begins a new attempt under a new id; the one before it must have ended. */
    Txn begin();

    /** What this coordinator has sent so far. */
    Traffic traffic();

    /** What made this coordinator useless, such as a failure of the fabric; null if it is good. */
    String whyBroken();

    /** Whether something has made this coordinator useless; its session has to be recovered. */
    default boolean isBroken() {
        return whyBroken() != null;
    }

    /**
     * Uses together with another one what both learn about where records lie. Both belong to strands that take turns on one
     * thread.
     */
    default void shareAddresses(Coordinator other) {
        // Whoever remembers nothing shares nothing.
    }

    /** From now on remembers alone, and nothing yet: it goes to another thread. */
    default void rememberAlone() {
        // Whoever shares nothing need not.
    }

    /** Waits for work in the background, then leaves nothing behind. */
    @Override
    void close();
}
