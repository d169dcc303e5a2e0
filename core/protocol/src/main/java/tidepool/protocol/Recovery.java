package tidepool.protocol;

/**
 * The recovery of dead sessions: finishes or undoes their transactions, from memory alone. A second run changes nothing
 * more.
 */
public interface Recovery {
    /** Recovers a dead session. Waits for the memory nodes. Returns null if another recoverer is at work. */
    Report recover(int dead);

    /**
     * Repairs a whole pool from its flushed data after its memory nodes have lost power. No session may use the pool
     * before that. Revokes every session that was in the pool before. Waits for the memory nodes. Returns null if
     * another recoverer is repairing the pool, or has repaired it.
     *
     * <p>Called only for protocols whose pools can be created with flush. A pool without flush is refused earlier, when
     * it is opened: its data is lost, and no protocol can restore it.
     */
    default Restart afterPowerLoss() {
        throw new IllegalStateException("a protocol that flushes says how its pools are repaired");
    }

    /**
     * The findings and repairs after a loss of power.
     *
     * @param logs whole logs that were found
     * @param tornLogs logs that were begun and are not whole
     * @param finished transactions that were whole on every flushed replica and not yet released
     * @param undone transactions that were rolled back
     * @param apart undone transactions without a log on some node that holds a witness
     * @param marks marks of ended transactions that no log names
     * @param rebuilt pieces of unflushed replicas that had to be rebuilt
     */
    record Restart(int logs, int tornLogs, int finished, int undone, int apart, int marks, int rebuilt) {}

    /**
     * Runs the code of a recovery without a dead session and reports zeros, so that the first real recovery is not
     * slower than later ones. Returns null if the protocol does not need it.
     *
     * @param trial an unused session that the caller opened for this; it cannot be used afterwards
     */
    default Report rehearse(int trial) {
        return null;
    }

    /**
     * The findings and repairs of a recovery.
     *
     * @param session the dead session
     * @param coordinators its coordinators
     * @param finished transactions whose commit was completed
     * @param undone transactions that were rolled back
     * @param ended transactions that had a log and needed nothing, or only the removal of a mark
     * @param stragglers marks of ended transactions that were removed on backups
     * @param tornLogs logs that were begun and are not whole
     * @param locksFreed locks under which nothing had been written
     * @param times the times of its stages
     */
    record Report(
            int session,
            int coordinators,
            int finished,
            int undone,
            int ended,
            int stragglers,
            int tornLogs,
            int locksFreed,
            Times times) {}

    /**
     * The stages of a recovery, by the clock of the strand or thread that ran it.
     *
     * @param begunNanos the recoverer is the only one
     * @param revokedNanos from here on no verb of the dead session takes effect
     * @param resolvedNanos every transaction with a log is finished or undone
     * @param unlockedNanos the locks without a log are free too; only clean-up is left
     */
    record Times(long begunNanos, long revokedNanos, long resolvedNanos, long unlockedNanos) {
        /** Returns the duration, for people to read. */
        @Override
        public String toString() {
            return (unlockedNanos - begunNanos) / 1000 + " µs";
        }
    }
}
