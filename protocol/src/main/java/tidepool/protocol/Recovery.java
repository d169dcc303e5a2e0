package tidepool.protocol;

/** Finishes or undoes what a dead session left, from memory alone. Run twice, it changes nothing more. */
public interface Recovery {
    /** Recovers a dead session. Waits. Null if somebody else is recovering at this moment. */
    Report recover(int dead);

    /**
     * Repairs a whole pool whose memory nodes have lost their power, from what was flushed; before that nobody may use it.
     * Shuts out every session that was in the pool before. Waits. Null if somebody else is at it, or has done it.
     *
     * <p>Only asked of protocols whose pools can be made with flush. A pool without it is refused before, when it is opened:
     * what it held is lost, and no protocol can help that.
     */
    default Restart afterPowerLoss() {
        throw new IllegalStateException("a protocol that flushes says how its pools are repaired");
    }

    /**
     * What was found and done after a loss of power.
     *
     * @param logs whole logs that were found
     * @param tornLogs logs that were begun and are not whole
     * @param finished transactions that were whole on every flushed replica and not yet released
     * @param undone transactions that were rolled back
     * @param apart of them, those that had reached the disk of one node with log and image, and of another with nothing
     * @param marks marks of ended transactions, of which no log speaks
     * @param rebuilt pieces of replicas that are not flushed and had to be made anew
     */
    record Restart(int logs, int tornLogs, int finished, int undone, int apart, int marks, int rebuilt) {}

    /**
     * Goes through the motions and reports that there was nothing, so that the first recovery is not slower than the
     * others. Null if this one has no need to.
     *
     * @param trial a session that the caller opened for this, and has not used; it cannot be used any more
     */
    default Report rehearse(int trial) {
        return null;
    }

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
     * @param times when it did so
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
     * The stages of a recovery, by the clock of the strand or thread that made it.
     *
     * @param begunNanos the recoverer is the only one
     * @param revokedNanos nothing of the dead session lands from here on
     * @param resolvedNanos every transaction with a log is finished or undone
     * @param unlockedNanos the locks without a log are free too; only tidying is left
     */
    record Times(long begunNanos, long revokedNanos, long resolvedNanos, long unlockedNanos) {
        /** How long it took, for a person. */
        @Override
        public String toString() {
            return (unlockedNanos - begunNanos) / 1000 + " µs";
        }
    }
}
