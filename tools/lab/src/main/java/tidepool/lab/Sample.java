package tidepool.lab;

import java.util.List;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;

/**
 * The work of a pool in one window of virtual time.
 *
 * @param load the coordinators that worked
 * @param commits in the window
 * @param perSecond commits per second of virtual time
 * @param p50Micros median latency of the transactions that committed, their last attempt alone
 * @param p99Micros the 99th percentile of that latency
 * @param meanMicros the mean of that latency
 * @param aborts attempts with conflicts, per commit
 * @param misses transactions that ended at a missing row, per commit
 * @param lockMicros mean lock time of a record; 0 if it was not measured
 * @param sent the traffic of each commit, aborted attempts included
 * @param reasons reasons of aborts, with their number per commit; the most frequent first
 */
public record Sample(
        Load load,
        long commits,
        double perSecond,
        double p50Micros,
        double p99Micros,
        double meanMicros,
        double aborts,
        double misses,
        double lockMicros,
        Sent sent,
        String reasons) {
    /**
     * The traffic of each commit.
     *
     * @param trips awaited
     * @param verbs all, also in the background
     * @param atomics among them
     * @param bytes read and written
     */
    public record Sent(double trips, double verbs, double atomics, double bytes) {
        static final Sent UNKNOWN = new Sent(0, 0, 0, 0);

        /** Divides the traffic by the number of commits. */
        static Sent of(Traffic traffic, long commits) {
            double count = Math.max(1, commits);
            long atomics = 0;
            for (VerbKind kind : ATOMICS) atomics += traffic.verbs(kind) + traffic.backgroundVerbs(kind);
            long bytes = traffic.bytesRead()
                    + traffic.bytesWritten()
                    + traffic.backgroundBytesRead()
                    + traffic.backgroundBytesWritten();
            return new Sent(
                    (traffic.roundTrips() + traffic.asideTrips()) / count,
                    traffic.allVerbs() / count,
                    atomics / count,
                    bytes / count);
        }
    }

    private static final List<VerbKind> ATOMICS =
            List.of(VerbKind.CAS, VerbKind.FAA, VerbKind.MASKED_CAS, VerbKind.MASKED_FAA);
}
