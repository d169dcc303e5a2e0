package tidepool.lab;

/**
 * What a pool did in one window of virtual time.
 *
 * @param load how many coordinators worked
 * @param commits in the window
 * @param perSecond commits per second of virtual time
 * @param p50Micros median latency of the transactions that committed, their last attempt alone
 * @param p99Micros the same, 99th percentile
 * @param aborts attempts that others stood in the way of, per commit
 * @param misses transactions that ended at a row that is not there, per commit
 * @param lockMicros how long a record stayed locked in the mean; 0 if nobody looked
 */
public record Sample(
        Load load,
        long commits,
        double perSecond,
        double p50Micros,
        double p99Micros,
        double aborts,
        double misses,
        double lockMicros) {}
