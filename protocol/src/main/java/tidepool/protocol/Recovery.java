package tidepool.protocol;

/** Finishes or undoes what a dead session left, from memory alone. Run twice, it changes nothing more. */
public interface Recovery {
    /** Recovers a dead session. Waits. Null if somebody else is recovering at this moment. */
    Report recover(int dead);

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
