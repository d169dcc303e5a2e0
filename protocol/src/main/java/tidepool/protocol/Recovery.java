package tidepool.protocol;

/** Finishes or undoes what a dead session left, from memory alone. Run twice, it changes nothing more. */
public interface Recovery {
    /** Recovers a dead session. Waits. Null if somebody else is recovering at this moment. */
    Report recover(int dead);

    /**
     * Repairs a whole pool whose memory nodes have lost their power, from what was flushed; before that nobody may use it.
     * Shuts out every session that was in the pool before. Waits. Null if somebody else is at it, or has done it.
     */
    default Restart afterPowerLoss() {
        throw new UnsupportedOperationException("this protocol does not outlast a loss of power");
    }

    /**
     * What was found and done after a loss of power.
     *
     * @param logs whole logs that were found
     * @param tornLogs logs that were begun and are not whole
     * @param finished transactions that were whole on every flushed replica and not yet released
     * @param undone transactions that were rolled back
     * @param marks marks of ended transactions, of which no log speaks
     * @param rebuilt pieces of replicas that are not flushed and had to be made anew
     */
    record Restart(int logs, int tornLogs, int finished, int undone, int marks, int rebuilt) {}

    /**
     * What a recovery found and did.
     *
     * @param session the dead session
     * @param coordinators its coordinators
     * @param finished transactions whose commit was completed
     * @param undone transactions that were rolled back
     * @param ended transactions that had a log and needed nothing, or only a mark taken off
     * @param stragglers marks of ended transactions that were taken off on backups
     * @param tornLogs logs that were begun and are not whole
     * @param locksFreed locks behind which nothing had been written
     */
    record Report(
            int session,
            int coordinators,
            int finished,
            int undone,
            int ended,
            int stragglers,
            int tornLogs,
            int locksFreed) {}
}
