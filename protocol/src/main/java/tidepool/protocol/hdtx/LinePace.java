package tidepool.protocol.hdtx;

import tidepool.base.Clock;
import tidepool.fabric.Round;
import tidepool.protocol.Step;

/**
 * How often somebody in a line looks at it, and after how long it takes a line for stuck: by what it has measured itself. A look
 * is a trip, and each disturbs the holder that everybody waits for.
 *
 * <p>Whoever has k in front of it, the holder included, expects its turn after k service times, and looks again after half of what
 * is left of them: a few looks for a wait of any length, and never much too late. The head looks more often, at least once in two
 * trips: a lock that is free and not taken costs everybody behind it. A trip may take two microseconds or half a
 * millisecond, and a commit takes several: so a line is stuck when it has not moved for a lease, but not before so many trips have
 * gone by in which it could have.
 */
final class LinePace {
    /** Nothing that lives is silent for so many trips: a commit has six at the most, and its holder may stand in a line itself. */
    private static final int TRIPS_OF_A_HOLDER = 64;

    /** From the moment that its lock is free, the head needs a look and a try. */
    private static final int TRIPS_OF_A_HEAD = 16;

    /** A head that lost its core is passed after this part of a lease: to skip a living one costs it its place and no more. */
    private static final int GRACES_OF_A_LEASE = 32;

    /** As many as this watch the head, so that one of them passes it in time. */
    private static final int FIRST_FEW = 4;

    private static final int MOST_AVERAGES = 4;

    /** What a service takes if none was seen yet. */
    private static final int TRIPS_OF_A_SERVICE = 4;

    private static final long LEAST_PAUSE_NANOS = 200;
    private static final int SMOOTHING = 3;

    private final long leaseNanos;
    private long tripNanos;
    private long serviceNanos;

    LinePace(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    /** Sends a round and measures it. Waits. */
    void await(Round round) {
        long begun = Clock.current().nowNanos();
        Step.LOCK.on(round).post().await();
        tripNanos = smooth(tripNanos, Clock.current().nowNanos() - begun);
    }

    /** Records that the line moved by {@code count} turns in {@code nanos}. */
    void served(int count, long nanos) {
        serviceNanos = smooth(serviceNanos, nanos / count);
    }

    /** A sample far above the average is mostly time in which this thread had no core, so it counts as a few averages. */
    private static long smooth(long known, long seen) {
        return known == 0 ? seen : known + (Math.min(seen, MOST_AVERAGES * known) - known >> SMOOTHING);
    }

    /**
     * How long to wait before the next look.
     *
     * @param place how many stand in front in the same line
     * @param before requests of both lines whose turn comes first, the holder of the lock included
     * @param since nanoseconds since the line has moved
     */
    long pause(int place, int before, long since) {
        long service = serviceNanos != 0 ? serviceNanos : TRIPS_OF_A_SERVICE * tripNanos;
        long left = before * service - since - tripNanos;
        long least = Math.max(LEAST_PAUSE_NANOS, tripNanos >> SMOOTHING);
        if (before <= 1) return Math.clamp(left / 4, least, Math.max(least, tripNanos));
        long most = place < FIRST_FEW ? headNanos() / 2 : leaseNanos / 4;
        return Math.clamp(left / 2, least, Math.max(least, most));
    }

    /** After which a holder that is always the same may be dead. */
    long holderNanos() {
        return Math.max(leaseNanos, TRIPS_OF_A_HOLDER * tripNanos);
    }

    /** After which the next in line passes a head that does not take a free lock. A living head draws another ticket. */
    long headNanos() {
        return Math.max(leaseNanos / GRACES_OF_A_LEASE, TRIPS_OF_A_HEAD * tripNanos);
    }
}
