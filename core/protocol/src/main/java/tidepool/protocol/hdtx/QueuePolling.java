package tidepool.protocol.hdtx;

import tidepool.base.Clock;
import tidepool.fabric.Round;
import tidepool.protocol.Step;

/**
 * Computes two intervals from measured times: how long a request waits before it polls its queue again, and after which
 * time it takes the queue for stuck. A poll is a trip, and each poll disturbs the holder of the lock.
 *
 * <p>A request with k requests in front of it, the holder included, expects its turn after k service times. It polls
 * again after half of the remaining time, so the number of polls grows with the logarithm of the wait. The head polls
 * at least once in two trips, because a free lock that the head does not take delays every request after it. A trip
 * takes two microseconds on one fabric and half a millisecond on another, and a commit takes several trips. So a queue
 * is stuck when it has not moved for a lease, and not before a number of trips have passed in which it could have
 * moved.
 */
final class QueuePolling {
    /**
     * No living holder is silent for this many trips: a commit has at most six, and the holder may itself wait in a
     * queue.
     */
    private static final int TRIPS_OF_A_HOLDER = 64;

    /** A bound for the head, which needs a poll and a try from the moment that its lock is free. */
    private static final int TRIPS_OF_A_HEAD = 16;

    /**
     * A head that lost its core is skipped after a lease divided by this number. A living head that is skipped loses
     * its place and nothing else.
     */
    private static final int GRACES_OF_A_LEASE = 32;

    /** This many requests watch the head, so that one of them skips it in time. */
    private static final int FIRST_FEW = 4;

    private static final int MAX_AVERAGES = 4;

    /** Trips of a service, as long as none was measured. */
    private static final int TRIPS_OF_A_SERVICE = 4;

    private static final long MIN_PAUSE_NANOS = 200;
    private static final int SMOOTHING = 3;

    private static final long MIN_BACK_OFF_NANOS = 500;
    private static final int MAX_DOUBLINGS = 8;

    private final long leaseNanos;
    private long tripNanos;
    private long serviceNanos;

    QueuePolling(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    /** Sends a round, waits for its answers and measures the time. */
    void await(Round round) {
        long begun = Clock.current().nowNanos();
        Step.LOCK.on(round).post().await();
        tripNanos = smooth(tripNanos, Clock.current().nowNanos() - begun);
    }

    /** Records that the queue moved by {@code count} turns in {@code nanos}. */
    void served(int count, long nanos) {
        serviceNanos = smooth(serviceNanos, nanos / count);
    }

    /**
     * Returns the new average. A sample far above the average is mostly time in which this thread had no core, so it
     * counts as {@link #MAX_AVERAGES} averages.
     */
    private static long smooth(long known, long seen) {
        return known == 0 ? seen : known + (Math.min(seen, MAX_AVERAGES * known) - known >> SMOOTHING);
    }

    /**
     * Returns the nanoseconds until the next poll.
     *
     * @param place how many requests are in front in the same queue
     * @param before requests of both queues whose turn comes first, the holder of the lock included
     * @param since nanoseconds since the queue has moved
     */
    long pause(int place, int before, long since) {
        long service = serviceNanos != 0 ? serviceNanos : TRIPS_OF_A_SERVICE * tripNanos;
        long left = before * service - since - tripNanos;
        long min = Math.max(MIN_PAUSE_NANOS, tripNanos >> SMOOTHING);
        if (before <= 1) return Math.clamp(left / 4, min, Math.max(min, tripNanos));
        long max = place < FIRST_FEW ? headNanos() / 2 : leaseNanos / 4;
        return Math.clamp(left / 2, min, Math.max(min, max));
    }

    /**
     * Returns the pause of a request without a ticket after {@code looks} looks. It doubles, so that a holder without a
     * core gets one.
     */
    long backOff(int looks) {
        return Math.max(MIN_BACK_OFF_NANOS, tripNanos >> SMOOTHING) << Math.min(looks, MAX_DOUBLINGS);
    }

    /** Returns the nanoseconds after which a holder that has not changed may be dead. */
    long holderNanos() {
        return Math.max(leaseNanos, TRIPS_OF_A_HOLDER * tripNanos);
    }

    /**
     * Returns the nanoseconds after which the next request skips a head that does not take a free lock. A living head
     * draws another ticket.
     */
    long headNanos() {
        return Math.max(leaseNanos / GRACES_OF_A_LEASE, TRIPS_OF_A_HEAD * tripNanos);
    }
}
