package tidepool.protocol;

/** A change of the memory nodes of a pool, or of what they hold. No other session is in the pool during the change. */
public interface Reconfiguration {
    /**
     * Carries the change out. May be run again by another session that opens the pool for this change. Waits for the
     * memory nodes.
     *
     * @param settleNanos time, after all sessions are revoked, during which a client may still trust a removed node
     */
    Report run(long settleNanos);

    /**
     * Carries the change out and keeps all other sessions out. All transactions are resolved and all whole copies are
     * equal. They stay so until the next change. Waits for the memory nodes.
     */
    Report hold(long settleNanos);

    /**
     * The findings and repairs of a change.
     *
     * @param sessions sessions that were revoked
     * @param logs whole logs that were found
     * @param finished transactions that had happened, and were completed
     * @param undone transactions that had not happened, and were rolled back
     * @param locksFreed locks of revoked sessions
     * @param shutOutNanos time until no other session was in the pool
     * @param resolveNanos time from then until every transaction was resolved and every lock free
     * @param openNanos time from then until other sessions might enter
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
