package tidepool;

import tidepool.protocol.Recovery;

/**
 * The findings and repairs of a recovery.
 *
 * <pre>{@code
 * pool.setListener(new PoolListener() {
 *     @Override
 *     public void recovered(RecoveryReport report) {
 *         System.out.println("session " + report.session() + " undone=" + report.undone());
 *     }
 * });
 * }</pre>
 *
 * @param session the dead session
 * @param coordinators its coordinators
 * @param finished transactions whose commit was completed
 * @param undone transactions that were rolled back
 * @param ended transactions that had a log and needed nothing, or only the removal of a mark
 * @param stragglers marks of ended transactions that were removed on backups
 * @param tornLogs logs that were begun and are not whole
 * @param locksFreed locks under which nothing had been written
 * @param begunNanos the time, by the clock of the recovering thread, from which on the recoverer was the only one
 * @param revokedNanos the time from which on no verb of the dead session takes effect
 * @param resolvedNanos the time at which every transaction with a log was finished or undone
 * @param unlockedNanos the time at which the locks without a log were free too; only clean-up was left
 */
public record RecoveryReport(
        int session,
        int coordinators,
        int finished,
        int undone,
        int ended,
        int stragglers,
        int tornLogs,
        int locksFreed,
        long begunNanos,
        long revokedNanos,
        long resolvedNanos,
        long unlockedNanos) {
    static RecoveryReport of(Recovery.Report report) {
        return new RecoveryReport(
                report.session(),
                report.coordinators(),
                report.finished(),
                report.undone(),
                report.ended(),
                report.stragglers(),
                report.tornLogs(),
                report.locksFreed(),
                report.times().begunNanos(),
                report.times().revokedNanos(),
                report.times().resolvedNanos(),
                report.times().unlockedNanos());
    }

    /** Returns how long transactions may have waited for the recovery. */
    public long nanos() {
        return unlockedNanos - begunNanos;
    }
}
