package tidepool.lab;

import java.util.List;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;

/**
 * What a pool did in one window of virtual time.
 *
 * @param load how many coordinators worked
 * @param commits in the window
 * @param perSecond commits per second of virtual time
 * @param p50Micros median latency of the transactions that committed, their last attempt alone
 * @param p99Micros the same, 99th percentile
 * @param meanMicros the same, in the mean
 * @param aborts attempts that others stood in the way of, per commit
 * @param misses transactions that ended at a row that is not there, per commit
 * @param lockMicros how long a record stayed locked in the mean; 0 if nobody looked
 * @param sent what was sent for each commit, aborted attempts included
 * @param reasons why attempts were aborted, and how often per commit; the most frequent first
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
     * What was sent for each commit.
     *
     * @param trips awaited
     * @param verbs in the background, too
     * @param atomics among them
     * @param bytes read and written
     */
    public record Sent(double trips, double verbs, double atomics, double bytes) {
        static final Sent UNKNOWN = new Sent(0, 0, 0, 0);

        /** Of so many commits. */
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
