package tidepool.protocol;

/** A change of the memory nodes of a pool, or of what they hold; nobody else is in the pool while it is carried out. */
public interface Change {
    /**
     * Carries it out; may be run again by another who opens the pool for the same change. Waits.
     *
     * @param settleNanos for so long after everybody was shut out somebody may still believe a node that was taken out
     */
    Report run(long settleNanos);

    /**
     * Carries it out and lets nobody in: everything is resolved, all whole copies are equal, and stay so until somebody makes
     * the next change. Waits.
     */
    Report hold(long settleNanos);

    /**
     * What was found and done.
     *
     * @param sessions sessions that were shut out
     * @param logs whole logs that were found
     * @param finished transactions that have happened, and were completed
     * @param undone transactions that have not, and were rolled back
     * @param locksFreed locks of those who were shut out
     * @param shutOutNanos until nobody else was in the pool
     * @param resolveNanos then, until every transaction was resolved and every lock free
     * @param openNanos then, until others might come in
     */
    record Report(
            int sessions,
            int logs,
            int finished,
            int undone,
            int locksFreed,
            long shutOutNanos,
            long resolveNanos,
            long openNanos) {}
}
